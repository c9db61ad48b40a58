"""The pages in a real browser, by role and text: what people do, and what other sites cannot."""

import http.server
import re
import threading

import pytest
import tomli_w

import counterfold as cf
from counterfold.blueprints.blueprint_grid import find_table_cells
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards import parse_cards
from counterfold.spots.spot_folder import load_spot
from counterfold.web import train_room
from counterfold.web.html_page import write_html
from helpers.small_recipes import content
from helpers.web_pages import running_server

PHONE, WIDE = {"width": 360, "height": 740}, {"width": 1600, "height": 900}


def open_run(page, name, how="Explore"):
    page.goto("/")
    row = page.get_by_role("row", name=re.compile(rf"\b{name}\b"))
    row.get_by_role("link", name=how).click()


def heading(page, name):
    page.get_by_role("heading", level=1, name=name).wait_for()


def cell_text(name, shares, labels, weight):
    """What the page says of a cell, up to the weight."""

    def percent(share):
        return f"{100 * share:.1f}%" if 0 < share < 0.0995 else f"{100 * share:.0f}%"

    told = [f"{label} {percent(share)}" for label, share in zip(labels, shares, strict=True)]
    return f"{name}: {', '.join([*told, f'weight {percent(weight)}'])}"


def assert_grid(page, bot, line):
    """Compare the grid of the page with that of the API, cell by cell."""
    table = bot.strategy(history=line)
    cells = [cell for row in find_table_cells(table, bot.reach(table)) for cell in row]
    labels = [offer.text for offer in table.offered]
    shown = page.get_by_role("gridcell").evaluate_all("cells => cells.map(c => c.ariaLabel)")
    ranks = {card[0] for card in "JQKA"}
    expected = [
        cell_text(cell.name, cell.shares, labels, cell.weight)
        if cell.shares
        else f"{cell.name}: not in the range"
        for cell in cells
        if {cell.name[0], cell.name[1]} <= ranks
    ]
    differing = [pair for pair in zip(shown, expected, strict=True) if pair[0] != pair[1]]
    # A share that ends in exactly half of a digit may be rounded either way.
    assert len(differing) <= 2, differing


def test_three_steps_in_the_explorer(page, small_runs):
    bot = TrainedBot(small_runs["nolimit"])
    open_run(page, "nolimit")
    heading(page, "nolimit")
    for line, label in (("", "call"), ("c", "check")):
        page.get_by_role("grid").wait_for()
        assert_grid(page, bot, line)
        now = page.locator("li[aria-current=step]")
        now.get_by_role("button", name=label, exact=True).click()
        n_steps = "n => document.querySelectorAll('action-ribbon li').length === n"
        page.wait_for_function(n_steps, arg=3 if line == "" else 4)
    page.get_by_role("group", name="Choose the next card").wait_for()
    page.get_by_role("button", name="ace of clubs").click()
    page.get_by_role("gridcell", name=re.compile("^KK")).wait_for()
    assert_grid(page, bot, "c k | Ac |")
    page.get_by_role("gridcell", name=re.compile("^KK")).click()
    page.get_by_role("table", name="KK").get_by_role("row").nth(1).wait_for()
    assert page.get_by_role("img", name="king of diamonds").count() >= 1


def test_buckets_are_drawn(page, address, small_runs):
    line = "c k | Ac |"
    page.goto(f"{address}/#/explore?run=nolimit&line={line}")
    page.get_by_text("Buckets: which hands").first.click()
    table = TrainedBot(small_runs["nolimit"]).strategy(history=line)
    n_buckets = len({number for row in table.rows for number in row.buckets})
    told = f"{len(table.rows)} hands in {n_buckets} of {table.n_buckets} buckets"
    page.get_by_role("img", name=re.compile(told)).wait_for()
    assert page.locator("bucket-chart g").count() == n_buckets  # the other view is hidden


def test_no_ev_is_offered_before_a_decision_is_drawn(page, address):
    page.route("**/look*", lambda route: None)  # no answer yet
    page.goto(f"{address}/#/explore?run=nolimit&line=c")
    page.get_by_role("heading", name="Explorer").wait_for()
    assert page.get_by_role("button", name="Compute EV").count() == 0


def test_ev_is_computed_and_shown(page, address, small_runs):
    bot, line = TrainedBot(small_runs["nolimit"]), "c k | Ac | k"
    page.goto(f"{address}/#/explore?run=nolimit&line={line}&cell=KQo")
    hands = page.get_by_role("table", name="KQo")
    hands.wait_for()
    assert hands.get_by_role("columnheader", name="EV", exact=True).count() == 0
    page.get_by_role("button", name="Compute EV").click()
    page.get_by_text("EV is exact, over all 7 run-outs.").wait_for()
    hands.get_by_role("columnheader", name="EV", exact=True).wait_for()
    heads = hands.get_by_role("columnheader").all_text_contents()
    values = bot.values(bot.strategy(history=line))
    for row in hands.get_by_role("row").all()[1:]:
        hand = row.get_by_role("rowheader").text_content().translate(str.maketrans("♣♦", "cd"))
        told = row.get_by_role("cell").all_text_contents()[heads.index("EV") - 1]
        assert float(told) == pytest.approx(values.of(parse_cards(hand))["ev"], rel=1e-3)
    page.get_by_text(re.compile("dealer EV .* other seat EV")).wait_for()
    page.get_by_role("gridcell", name=re.compile("^KQo: .*EV")).wait_for()


def test_why_there_is_no_ev_is_told(page, address):
    page.goto(f"{address}/#/explore?run=discard")
    page.get_by_text("EV needs two hole cards that never change").wait_for()
    assert page.get_by_role("button", name="Compute EV").count() == 0


def test_a_link_leads_to_the_same_place(page, address):
    page.goto(f"{address}/#/explore?run=nolimit&line=c&cell=AKo")
    page.get_by_role("table", name="AKo").wait_for()
    selected = page.locator("[role=gridcell][aria-selected=true]")
    assert selected.get_attribute("aria-label").startswith("AKo:")
    page.reload()
    page.get_by_role("table", name="AKo").wait_for()


def test_the_grid_by_keyboard(page, address):
    page.goto(f"{address}/#/explore?run=nolimit")
    page.get_by_role("gridcell", name=re.compile("^AA")).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_role("table", name="KK").wait_for()


def test_a_spot_and_a_solved_game(page):
    open_run(page, "turn")
    page.get_by_role("gridcell", name=re.compile("^AA: .*EV .*equity")).click()
    page.get_by_role("table", name="AA").get_by_role("columnheader", name="EV").wait_for()
    open_run(page, "leduc")
    page.get_by_role("combobox", name="Player").select_option("player 1")
    page.get_by_role("cell", name="1", exact=True).first.wait_for()
    assert page.get_by_role("rowheader").count() > 50


def test_a_river_is_solved_and_explored(page, address):
    page.goto(f"{address}/#/spots")
    page.get_by_label("Board", exact=True).fill("Td9d6hQc2s")
    for label, hands, gone in (
        ("First to act (oop)", "AA,KQs", "JJ"),
        ("In position (ip)", "TT,KJs", "99"),
    ):
        brushed = page.get_by_role("grid", name=f"{label}, by class of hands")
        brushed.get_by_role("gridcell", name=f"{gone} 100%").wait_for()  # the range it opens with
        field = page.get_by_role("textbox", name=f"{label}, as text")
        field.fill(hands)
        field.blur()
        brushed.get_by_role("gridcell", name=f"{gone} 0%").wait_for()
    brushed = page.get_by_role("grid", name="First to act (oop), by class of hands")
    brushed.get_by_role("gridcell", name=re.compile("^KK")).click()
    page.wait_for_function("() => document.querySelector('.ranges textarea').value === 'KK+,KQs'")
    page.get_by_role("button", name="Estimate").click()
    page.get_by_text(re.compile("nodes, 1 boards")).wait_for()
    page.get_by_label("Target, % of the pot").fill("1")
    page.get_by_role("button", name="Solve").click()
    page.get_by_role("link", name="Explore it").click()
    page.get_by_role("gridcell", name=re.compile("^KK: .*EV")).click()
    page.get_by_role("table", name="KK").wait_for()


def test_a_river_is_locked_and_solved_again(page, address):
    page.goto(f"{address}/#/spots")
    page.get_by_label("Board", exact=True).fill("Td9d6hQc2s")
    for label, hands in (("First to act (oop)", "AA,KQs"), ("In position (ip)", "TT,KJs")):
        field = page.get_by_role("textbox", name=f"{label}, as text")
        field.fill(hands)
        field.blur()
        brushed = page.get_by_role("grid", name=f"{label}, by class of hands")
        brushed.get_by_role("gridcell", name="99 0%").wait_for()
    page.get_by_role("button", name="Solve").click()
    page.get_by_role("link", name="Explore it").click()
    page.get_by_role("combobox", name="Best response of").select_option("ip")
    page.get_by_text("ip plays its best response").wait_for()
    page.get_by_role("link", name="Lock this decision").click()
    locks = page.get_by_role("textbox", name="Locks, one per line")
    page.wait_for_function("() => document.querySelector('#locks').value.includes('k=')")
    locks.fill(": b50%=1")
    page.get_by_role("button", name="Solve").click()
    page.get_by_role("link", name="Explore it").click()
    page.get_by_role("list", name="Actions over all hands").get_by_text("100%").wait_for()


def test_a_training_is_begun_and_watched_to_its_end(page, address, monkeypatch, tmp_path):
    recipe = tmp_path / "small.toml"
    recipe.write_text(tomli_w.dumps(content()))
    monkeypatch.setattr(train_room, "shipped_recipes", lambda: {"small": recipe})
    page.goto(f"{address}/#/train")
    page.get_by_text("leduc-variant").wait_for()
    page.get_by_role("button", name="Estimate").click()
    page.get_by_text("information sets").wait_for()
    page.get_by_role("spinbutton", name="Seconds").fill("1")
    page.get_by_role("button", name="Train").click()
    page.get_by_text("; done.").wait_for()
    page.get_by_role("link", name="Curves").click()
    page.get_by_role("heading", level=2, name=re.compile("Mean positive regret")).wait_for()
    page.get_by_text("Recipe small").click()
    page.get_by_text('variant = "leduc-variant"').wait_for()


def test_a_curve_of_one_point_is_drawn(page, address, small_runs):
    """Runs that end before the first checkpoint have no other."""
    n = small_runs["nolimit"].metrics.iterations
    page.goto(f"{address}/#/run?run=nolimit")
    chart = page.get_by_role("img", name=re.compile("^Mean positive regret"))
    chart.get_by_text(f"{n:,} iterations", exact=True).wait_for()
    assert chart.locator(".alone").count() == 1


def test_bots_play_each_other(page, address):
    page.goto(f"{address}/#/match")
    for name in (re.compile("^nolimit"), re.compile("^always-call")):
        page.get_by_role("checkbox", name=name).check()
    page.get_by_role("spinbutton", name="Hands of each pair").fill("400")
    page.get_by_role("button", name="Play").click()
    page.get_by_role("rowheader", name="nolimit against always-call").wait_for()
    page.get_by_role("img", name=re.compile("^nolimit against always-call")).wait_for()
    page.get_by_role("checkbox", name=re.compile("^always-call")).uncheck()
    page.get_by_role("checkbox", name=re.compile("^random")).check()
    page.get_by_role("button", name="Play").click()
    page.get_by_role("rowheader", name="nolimit against random").wait_for()
    page.get_by_text("400 hands of one pair").click()
    page.get_by_role("rowheader", name="nolimit against always-call").wait_for()


def test_one_file_shows_a_decision_by_itself(page, runs, tmp_path):
    path = tmp_path / "turn.html"
    solved = load_spot(runs[0] / "turn")
    write_html(path, "A turn", solved)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    heading(page, "A turn")
    page.get_by_role("gridcell", name=re.compile("^AA: .*EV .*equity")).click()
    page.get_by_role("table", name="AA").get_by_role("columnheader", name="EV").wait_for()
    assert asked == [path.as_uri()]


# What a notebook does for a widget: it keeps the model, and passes changes on both ways.
NOTEBOOK = """<main></main><script type="module">%s
let state = await window.follow("");
const handlers = {};
render({ el: document.querySelector("main"), model: {
  get: (key) => state[key],
  set: (key, value) => { state[key] = value; },
  save_changes: async () => { state = await window.follow(state.line); handlers["change:told"](); },
  on: (event, handler) => { handlers[event] = handler; },
} });
</script>"""


def test_a_widget_goes_where_one_clicks(page, small_runs, tmp_path):
    bot = TrainedBot(small_runs["nolimit"])
    widget = cf.widget(bot)

    def follow(line):
        widget.line = line
        return {"line": line, "told": widget.told, "error": widget.error}

    page.expose_function("follow", follow)
    path = tmp_path / "notebook.html"
    path.write_text(NOTEBOOK % str(widget._esm), encoding="utf-8")
    page.goto(path.as_uri())
    page.get_by_role("button", name="call", exact=True).click()
    page.get_by_role("button", name="check", exact=True).last.click()
    page.get_by_role("button", name="ace of clubs").click()
    page.get_by_role("gridcell", name=re.compile("^KK")).wait_for()
    assert widget.line == "c k | Ac"
    assert_grid(page, bot, "c k | Ac")
    page.get_by_role("gridcell", name=re.compile("^KK")).click()
    page.get_by_role("table", name="KK").wait_for()


def play_on(page, choose):
    """Act until the hand is over."""
    over = page.get_by_role("button", name="next hand")
    actions = page.get_by_role("group", name="Your action")
    while True:
        over.or_(actions).wait_for()
        if over.count():
            return
        before = page.get_by_role("list", name="This hand").get_by_role("listitem").count()
        choose(actions)
        page.wait_for_function("n => document.querySelectorAll('.log li').length > n", arg=before)


def be_passive(actions):
    for name in ("lay down", "discard", "bid 0", "check", "call"):
        button = actions.get_by_role("button", name=name)
        if button.count():
            button.first.click()
            return


@pytest.mark.parametrize("run", ["discard", "river-of-blood", "swap", "bounty", "auction", "toss"])
def test_a_whole_hand(page, run):
    open_run(page, run, "Play")
    play_on(page, be_passive)
    page.get_by_text("The bot held").wait_for()
    assert page.get_by_role("group", name="bot", exact=True).get_by_role("img").count() >= 1
    assert page.get_by_text(re.compile("bb/100")).count() == 1
    page.get_by_text("All hands as text").click()
    page.get_by_text("hand 1: seat 0 is you").wait_for()
    page.get_by_role("button", name="next hand").click()
    page.get_by_text(re.compile("^Hand 2")).wait_for()


def test_a_reload_in_the_middle_of_a_hand_and_keys_alone(page):
    open_run(page, "nolimit", "Play")
    page.get_by_role("group", name="Your action").wait_for()
    cards = page.get_by_role("group", name="you", exact=True).get_by_role("img")
    held = [card.get_attribute("aria-label") for card in cards.all()]
    page.keyboard.press("?")
    page.get_by_text("Keys act wherever the focus is").wait_for()
    page.keyboard.press("h")
    page.get_by_text("Hint:").wait_for()
    page.reload()
    page.get_by_role("group", name="Your action").wait_for()
    assert [card.get_attribute("aria-label") for card in cards.all()] == held
    over = page.get_by_role("button", name="next hand")
    page.keyboard.press("f")
    over.wait_for()
    page.keyboard.press("n")
    page.get_by_text(re.compile("^Hand 2")).wait_for()


def test_amounts_may_be_typed(page):
    open_run(page, "nolimit", "Play")
    page.get_by_role("spinbutton", name="Amount in chips").fill("7")
    page.keyboard.press("Enter")
    page.get_by_text("you raise to 7", exact=True).wait_for()


def test_a_hand_against_a_bot_that_searches_is_graded_and_reported(page):
    open_run(page, "nolimit", "Play")
    page.get_by_role("link", name="Sit down with search").click()
    page.get_by_text("The bot searches on the last street (combined)").wait_for()
    page.get_by_role("timer").get_by_text("turn 0:0").wait_for()
    for hand in range(2, 30):  # until one comes to the last street
        play_on(page, be_passive)
        page.get_by_text("The bot held").wait_for()
        if page.get_by_text(re.compile("chips of EV lost")).count():
            break
        page.get_by_role("button", name="next hand").click()
        page.get_by_text(re.compile(f"^Hand {hand}")).wait_for()
    assert page.get_by_text(re.compile("chips of EV lost")).count()
    page.get_by_text("Session report").click()
    page.get_by_text(re.compile(r"Adjusted for the luck of the cards \(AIVAT\)")).wait_for()
    assert page.get_by_role("table", name="Your decisions").get_by_role("row").count() == 5
    page.get_by_text("All hands as text").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as a file").click()
    with open(download.value.path(), encoding="utf-8") as file:
        assert file.read().startswith("hand 1: seat 0 is you, seat 1 is bot")


def test_two_runs_side_by_side(page, address):
    page.goto(f"{address}/#/explore?run=nolimit&line=c")
    page.get_by_role("combobox", name="Compare with").select_option("limit")
    for name in ("nolimit", "limit"):
        page.get_by_role("heading", level=2, name=name, exact=True).wait_for()
    page.get_by_role("grid", name=re.compile("nolimit$")).wait_for()
    page.get_by_role("grid", name=re.compile(", limit$")).wait_for()
    page.get_by_role("grid", name=re.compile(", limit$")).get_by_role(
        "gridcell", name=re.compile("^KK")
    ).click()
    page.wait_for_function("() => document.querySelectorAll('hand-list table').length === 2")
    assert "other=limit" in page.url
    page.reload()
    page.wait_for_function("() => document.querySelectorAll('hand-list table').length === 2")


def test_the_next_cards_one_by_one_and_filters(page, address):
    page.goto(f"{address}/#/explore?run=solved/turn&line=k k")
    page.get_by_role("button", name="Compare all cards").click()
    rows = page.get_by_role("table", name="Run-outs").get_by_role("row")
    page.get_by_role("columnheader", name="ip EV").wait_for()
    n_rows = rows.count()
    assert n_rows > 40
    rows.nth(1).get_by_role("button").click()
    page.get_by_role("grid").wait_for()
    page.get_by_role("combobox", name="Suit").select_option("hearts")
    page.wait_for_url(re.compile("hands=hearts"))
    page.get_by_role("combobox", name="Made hand").select_option("overpair+")
    page.wait_for_url(re.compile(r"hands=overpair%2B\+with\+hearts"))
    shown = "text => document.querySelector('input[type=search]').value === text"
    page.wait_for_function(shown, arg="overpair+ with hearts")


@pytest.mark.parametrize("size", [PHONE, WIDE])
def test_no_page_is_wider_than_the_screen(page, address, size):
    page.set_viewport_size(size)
    for place in (
        "#/runs",
        "#/explore?run=nolimit&cell=AKo",
        "#/explore?run=nolimit&other=limit&cell=AKo",
        "#/infosets?run=solved/leduc",
        "#/run?run=nolimit",
        "#/table?run=discard",
        "#/spots",
        "#/train",
        "#/match",
    ):
        page.goto(f"{address}/{place}")
        page.get_by_role("heading", level=1).wait_for()
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), place


def focused(page):
    return page.evaluate(
        "() => document.activeElement.ariaLabel || document.activeElement.textContent"
    )


def tab_to(page, text, most=80):
    """Press Tab until something that begins with `text` has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if focused(page).strip().startswith(text):
            return
    raise AssertionError(f"Tab does not lead to {text!r}")


def test_from_the_list_of_runs_to_a_hand_and_a_bet_by_keys_alone(page):
    page.goto("/")
    page.get_by_role("row", name=re.compile(r"\bnolimit\b")).wait_for()
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to the page"
    row = page.get_by_role("row", name=re.compile(r"\bnolimit\b"))
    play = row.get_by_role("link", name="Play")
    for _ in range(60):
        page.keyboard.press("Tab")
        if play.evaluate("link => link === document.activeElement"):
            break
    page.keyboard.press("Enter")
    page.get_by_role("group", name="Your action").wait_for()
    tab_to(page, "Amount in chips")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.get_by_text("you raise to 5", exact=True).wait_for()
    page.get_by_role("button", name="next hand").or_(
        page.get_by_role("group", name="Your action")
    ).first.wait_for()
    page.keyboard.press("f")
    page.get_by_text("Session report").wait_for()
    tab_to(page, "Session report")


def test_another_machine_needs_the_token(browser, runs, tmp_path):
    with running_server(*runs[:1], sessions=tmp_path, token="secret-1") as exposed:
        for fragment, told in (
            ("", "token"),
            ("#token=wrong", "token"),
            ("#token=secret-1", "turn"),
        ):
            context = browser.new_context()
            page = context.new_page()
            page.goto(f"{exposed}/{fragment}")
            page.get_by_text(told).first.wait_for()
            assert "secret-1" not in page.url
            if told == "turn":
                page.get_by_role("row", name=re.compile(r"\bturn\b")).get_by_role(
                    "link", name="Explore"
                ).click()
                page.get_by_role("grid").wait_for()
                page.reload()
                page.get_by_role("grid").wait_for()
            else:
                assert page.get_by_role("row").count() == 0
            context.close()


class Evil(http.server.BaseHTTPRequestHandler):
    """A page of another site."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>evil</title>")

    def log_message(self, *_):
        pass


ATTACK = """async (address) => {
  const told = {};
  const attempt = async (name, work) => {
    try { told[name] = await work(); } catch { told[name] = "refused"; }
  };
  const body = JSON.stringify({ run: "nolimit" });
  await attempt("read", async () => (await fetch(`${address}/api/runs`)).text());
  await attempt("act", async () => (await fetch(`${address}/api/sit`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body })).text());
  await attempt("blind", async () => (await fetch(`${address}/api/sit`, {
    method: "POST", mode: "no-cors", headers: { "Content-Type": "text/plain" }, body })).type);
  await attempt("script", () => new Promise((done, fail) => {
    const script = document.createElement("script");
    script.onload = () => done("ran"); script.onerror = fail;
    script.src = `${address}/static/main.js`; document.head.append(script);
  }));
  await attempt("frame", () => new Promise((done) => {
    const frame = document.createElement("iframe");
    frame.onload = () => { try { done(frame.contentDocument.title); } catch { done("closed"); } };
    frame.src = address; document.body.append(frame);
  }));
  return told;
}"""


def test_another_site_can_neither_read_nor_act(browser, address):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Evil)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    context = browser.new_context()
    try:
        page = context.new_page()
        page.goto(f"{address}/")
        page.get_by_role("heading", level=1, name="Runs").wait_for()
        ask = "async () => (await (await fetch('/api/sessions')).json()).sessions.length"
        before = page.evaluate(ask)
        evil = context.new_page()
        evil.goto(f"http://localhost:{server.server_port}/")
        told = evil.evaluate(ATTACK, address)
        assert told["read"] == told["act"] == told["script"] == "refused"
        assert told["blind"] in ("opaque", "refused")
        assert told["frame"] != "Counterfold"
        assert page.evaluate(ask) == before  # nobody sat down
    finally:
        context.close()
        server.shutdown()
        server.server_close()
        thread.join()

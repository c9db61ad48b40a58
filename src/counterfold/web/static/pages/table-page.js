// <table-page>: a person against a bot. Without a session in the address, one is begun.

import "../bet-controls.js";
import "../hand-review.js";
import "../session-report.js";
import "../turn-clock.js";
import { attempt, make, signed } from "../element.js";
import { cardRow, faceDown } from "../playing-card.js";
import { get, link, post } from "../server.js";

class TablePage extends HTMLElement {
  #table = null;
  #busy = false;

  connectedCallback() {
    this.heading = make("h1", {}, "Table");
    this.score = make("p", { className: "facts", role: "status" });
    this.against = make("p", { className: "facts" });
    this.clock = make("turn-clock");
    this.report = make("session-report");
    this.save = make("a", { download: "hands.txt", hidden: true }, "Save as a file");
    this.felt = make("section", { className: "felt", ariaLabel: "The table" });
    this.controls = make("bet-controls");
    this.review = make("hand-review");
    this.log = make("ol", { className: "log", ariaLabel: "This hand", ariaLive: "polite" });
    this.told = make("details", { ontoggle: () => this.told.open && this.#tell() },
      make("summary", {}, "All hands as text"), this.save, make("pre", { tabIndex: 0 }));
    this.replaceChildren(this.heading, this.against, this.score, make("div", { className: "play" },
      make("div", {}, this.felt, this.controls, this.review),
      make("aside", {}, this.clock, make("h2", {}, "This hand"), this.log, this.report, this.told)));
    this.controls.addEventListener("act", (event) => this.#act(event.detail));
    this.controls.addEventListener("next", () => this.#next());
    this.controls.addEventListener("hint", () => this.#hint());
    this.onkey = (event) => this.controls.press(event);
    addEventListener("keydown", this.onkey);
  }

  disconnectedCallback() {
    removeEventListener("keydown", this.onkey);
  }

  async open(query) {
    const session = query.get("session");
    if (session && session === this.#table?.session) return;
    const table = await attempt(() => (session ? get("table", { session }) : post("sit", { run: query.get("run"), search: query.get("search") ?? "" })));
    if (!table) return;
    this.#draw(table);
    if (!session) location.replace(link("table", { session: table.session }));
  }

  /** One request at a time: a second click waits for nothing and does nothing. */
  async #ask(work) {
    if (this.#busy) return;
    this.#busy = true;
    this.clock.stop();
    const begun = performance.now();
    const table = await attempt(work);
    this.clock.answered(performance.now() - begun);
    this.#busy = false;
    if (table) this.#draw(table);
  }

  #act(action) {
    const { session, hand, step } = this.#table;
    return this.#ask(() => post("act", { session, hand, step, action }));
  }

  #next() {
    const { session, hand } = this.#table;
    return this.#ask(() => post("next", { session, hand }));
  }

  async #hint() {
    const hint = await attempt(() => get("hint", { session: this.#table.session }));
    if (hint) this.review.showHint(hint);
  }

  async #tell() {
    const told = await attempt(() => get("told", { session: this.#table.session }));
    if (!told) return;
    this.told.querySelector("pre").textContent = told.text || "No hand is over yet.";
    URL.revokeObjectURL(this.save.href);
    this.save.href = URL.createObjectURL(new Blob([told.text], { type: "text/plain" }));
    this.save.hidden = !told.text;
  }

  #draw(table) {
    this.#table = table;
    document.title = `${table.run} · Counterfold`;
    this.heading.textContent = `${table.run}: ${table.variant}`;
    this.score.textContent = this.#tellScore(table);
    this.#tellAgainst(table);
    const board = table.board ? cardRow(table.board) : make("span", { className: "note" }, "no board yet");
    const middle = make("div", { className: "middle" }, board, make("strong", {}, `pot ${table.pot}`));
    const hidden = make("span", { className: "cards" }, Array.from({ length: table.n_cards }, faceDown));
    this.felt.replaceChildren(
      this.#seat("bot", table.bot, table.bot_cards ? cardRow(table.bot_cards) : hidden),
      middle,
      this.#seat("you", table.you, cardRow(table.cards), table.bounty));
    this.log.replaceChildren(...table.log.map((line) => make("li", {}, line)));
    this.log.scrollTop = this.log.scrollHeight;
    this.told.open = false;
    this.controls.draw(table);
    this.review.draw(table);
    this.report.draw(table);
    this.clock.begin(table.over);
    if (table.over) this.#value(table);
  }

  /** What the decisions cost takes longer to find than to deal the next hand. */
  async #value({ session, hand }) {
    try {
      const found = await post("value", { session });
      if (this.#table.session === session && this.#table.hand === hand) this.review.addGrades(found);
    } catch { /* the grades by frequency stand */ }
  }

  #seat(name, seat, cards, bounty = "") {
    return make("div", { className: "seat", role: "group", ariaLabel: name },
      make("span", { className: "name" }, name, seat.dealer ? make("span", { className: "dealer", title: "dealer" }, "D") : null),
      cards,
      bounty ? make("span", { className: "bounty" }, `bounty ${bounty}`) : null,
      seat.behind === null ? null : make("span", {}, `${seat.behind} behind`),
      make("span", { className: "bet" }, seat.bet ? `bet ${seat.bet}` : ""));
  }

  /** Whether the bot searches, and the way to a table where it is otherwise. */
  #tellAgainst({ run, search, can_search }) {
    this.against.hidden = !can_search;
    const other = search ? "" : "combined";
    this.against.replaceChildren(
      search ? `The bot searches on the last street (${search}). ` : "The bot plays its strategy. ",
      make("a", { href: link("table", other ? { run, search: other } : { run }) }, search ? "Sit down without search" : "Sit down with search"));
  }

  #tellScore({ hand, score }) {
    if (!score.hands) return `Hand ${hand + 1}`;
    const { mb, bb100 } = score;
    const within = (rate) => (rate.interval === null ? "" : ` ± ${Math.round(rate.interval).toLocaleString("en-US")}`);
    return `Hand ${hand + 1} · you are at ${signed(score.chips)} chips after ${score.hands} · `
      + `${signed(mb.mean)}${within(mb)} mb/hand · ${signed(bb100.mean)}${within(bb100)} bb/100`;
  }
}

customElements.define("table-page", TablePage);

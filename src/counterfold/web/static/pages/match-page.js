// <match-page>: bots and baselines against each other, with the intervals of what they win.

import "../interval-chart.js";
import { attempt, make, signed } from "../element.js";
import { get, post } from "../server.js";

const WATCH_MILLISECONDS = 1000;

class MatchPage extends HTMLElement {
  #timer = 0;
  #shown = "";

  connectedCallback() {
    this.players = make("fieldset", {}, make("legend", {}, "Who plays"));
    this.hands = make("input", { id: "hands", type: "number", min: 100, max: 2000000, step: 100, value: 20000, required: true });
    this.aivat = make("input", { id: "aivat", type: "checkbox" });
    this.go = make("button", { className: "main" }, "Play");
    this.stop = make("button", { type: "button", disabled: true, onclick: () => attempt(async () => this.#tell(await post("leave"))) }, "Stop");
    this.state = make("p", { className: "facts", role: "status" });
    this.result = make("div");
    this.earlier = make("section", { ariaLabel: "Earlier matches" });
    this.replaceChildren(
      make("h1", {}, "Matches"),
      make("form", { onsubmit: (event) => { event.preventDefault(); this.#begin(); } }, this.players,
        make("label", { htmlFor: "hands" }, "Hands of each pair ", this.hands),
        make("label", { htmlFor: "aivat" }, this.aivat, " luck-adjusted, too (AIVAT)"), this.go, this.stop),
      this.state, this.result, this.earlier);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  async open() {
    document.title = "Matches · Counterfold";
    const found = await attempt(() => Promise.all([get("entrants"), get("match"), get("matches")]));
    if (!found) return;
    const [{ runs, baselines }, told, played] = found;
    const names = [...runs.map(({ name, game }) => [name, game]), ...baselines.map((name) => [name, "baseline"])];
    this.players.replaceChildren(make("legend", {}, "Who plays"), ...names.map(([name, what]) => make("label", {},
      make("input", { type: "checkbox", value: name }), ` ${name} `, make("span", { className: "note" }, what))));
    this.#tell(told);
    this.#list(played);
    clearInterval(this.#timer);
    this.#timer = setInterval(async () => this.#tell(await get("match")), WATCH_MILLISECONDS);
  }

  async #begin() {
    const entrants = [...this.players.querySelectorAll("input:checked")].map((box) => box.value);
    const given = { entrants, hands: Number(this.hands.value), aivat: this.aivat.checked };
    const told = await attempt(() => post("match", given));
    if (told) this.#tell(told);
  }

  #tell({ match }) {
    this.stop.disabled = !match || match.done;
    this.go.disabled = Boolean(match && !match.done);
    const text = JSON.stringify(match);
    if (!match || text === this.#shown) return;
    this.#shown = text;
    const end = match.error || (match.stopped ? "stopped" : match.done ? `${match.variant}, 95% intervals` : `${match.step} …`);
    this.state.textContent = end;
    this.result.replaceChildren(...picture(match.rows));
    if (match.done) attempt(async () => this.#list(await get("matches")));
  }

  /** What was played before; the matches that stand above are not told twice. */
  #list({ matches }) {
    const shown = JSON.parse(this.#shown || "null");
    const earlier = matches.filter(({ begun }) => begun !== shown?.begun);
    this.earlier.replaceChildren(...(earlier.length ? [make("h2", {}, "Earlier matches")] : []),
      ...earlier.map(({ begun, variant, rows }) => make("details", {},
        make("summary", {}, `${new Date(1000 * begun).toLocaleString()} · ${variant} · ${rows[0].hands.toLocaleString("en-US")} hands of ${rows.length === 1 ? "one pair" : `${rows.length} pairs`}`),
        ...picture(rows))));
  }
}

/** Rows as a chart and as a table; nothing before there are any. */
function picture(pairs) {
  const label = ({ first, second }) => `${first} against ${second}`;
  const rows = pairs.flatMap((row) => [
    { label: label(row), mean: row.mb, interval: row.interval },
    ...(row.aivat ? [{ label: `${label(row)}, luck-adjusted`, mean: row.aivat.mb, interval: row.aivat.interval }] : [])]);
  if (!rows.length) return [];
  const chart = make("interval-chart");
  chart.draw(rows, "mb/hand");
  const within = (mean, interval) => `${signed(mean)}${interval === null ? "" : ` ± ${Math.round(interval).toLocaleString("en-US")}`}`;
  return [chart, make("div", { className: "scroll" }, make("table", {}, make("caption", {}, "What the first wins, in mb/hand"),
    make("tbody", {}, rows.map((row) => make("tr", {}, make("th", { scope: "row" }, row.label), make("td", { className: "number" }, within(row.mean, row.interval)))))))];
}

customElements.define("match-page", MatchPage);

// <match-page>: bots and baselines against each other, with the intervals of what they win.

import "./interval-chart.js";
import { attempt, make, signed } from "./element.js";
import { get, post } from "./server.js";

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
    this.chart = make("interval-chart");
    this.table = make("div", { className: "scroll" });
    this.replaceChildren(
      make("h1", {}, "Matches"),
      make("form", { onsubmit: (event) => { event.preventDefault(); this.#begin(); } }, this.players,
        make("label", { htmlFor: "hands" }, "Hands of each pair ", this.hands),
        make("label", { htmlFor: "aivat" }, this.aivat, " less luck, too (AIVAT)"), this.go, this.stop),
      this.state, this.chart, this.table);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  async open() {
    document.title = "Matches · Counterfold";
    const found = await attempt(() => Promise.all([get("entrants"), get("match")]));
    if (!found) return;
    const [{ runs, baselines }, told] = found;
    const names = [...runs.map(({ name, game }) => [name, game]), ...baselines.map((name) => [name, "baseline"])];
    this.players.replaceChildren(make("legend", {}, "Who plays"), ...names.map(([name, what]) => make("label", {},
      make("input", { type: "checkbox", value: name }), ` ${name} `, make("span", { className: "note" }, what))));
    this.#tell(told);
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
    const end = match.error || (match.stopped ? "stopped" : match.done ? `${match.variant}, 95 % intervals` : `${match.step} …`);
    this.state.textContent = end;
    const label = ({ first, second }) => `${first} against ${second}`;
    const rows = match.rows.flatMap((row) => [
      { label: label(row), mean: row.mb, interval: row.interval },
      ...(row.aivat ? [{ label: `${label(row)}, less luck`, mean: row.aivat.mb, interval: row.aivat.interval }] : [])]);
    if (!rows.length) {
      this.chart.replaceChildren();
      this.table.replaceChildren();
      return;
    }
    this.chart.draw(rows, "mb/hand");
    const within = (mean, interval) => `${signed(mean)}${interval === null ? "" : ` ± ${Math.round(interval).toLocaleString("en-US")}`}`;
    this.table.replaceChildren(make("table", {}, make("caption", {}, "What the first wins, in mb/hand"),
      make("tbody", {}, rows.map((row) => make("tr", {}, make("th", { scope: "row" }, row.label), make("td", { className: "number" }, within(row.mean, row.interval)))))));
  }
}

customElements.define("match-page", MatchPage);

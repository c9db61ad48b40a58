// <runout-report>: the next cards one by one, and what is done after each. `line` events as of <action-ribbon>.

import { attempt, chips, make, percent } from "./element.js";
import { playingCard } from "./playing-card.js";
import { get } from "./server.js";

class RunoutReport extends HTMLElement {
  draw({ run, line, hands }) {
    const show = async () => {
      const found = await attempt(() => get("runouts", { run, line, hands }));
      if (found) this.#table(found);
    };
    this.replaceChildren(make("button", { type: "button", onclick: show }, "Compare all cards"));
  }

  #table({ actions, rows }) {
    const figures = Object.keys(rows[0]?.figures ?? {});
    const heads = ["card", "to act", ...actions.map(({ label }) => label), ...figures];
    const head = make("tr", {}, heads.map((text) => make("th", { scope: "col" }, text)));
    this.replaceChildren(make("table", {}, make("caption", {}, "Run-outs"), make("thead", {}, head),
      make("tbody", {}, rows.map((row) => this.#row(row, actions, figures)))));
  }

  #row({ card, line, actor, shares, figures }, actions, names) {
    const go = () => this.dispatchEvent(new CustomEvent("line", { detail: line, bubbles: true }));
    const button = make("button", { type: "button", onclick: go }, playingCard(card));
    const cells = shares.map((share, at) => {
      const cell = make("td", { className: "share" }, percent(share));
      cell.style.backgroundImage = `linear-gradient(${actions[at].color}, ${actions[at].color})`;
      cell.style.backgroundSize = `${(100 * share).toFixed(1)}% 4px`;
      return cell;
    });
    const told = names.map((name) => make("td", {}, figures[name] === null ? "–" : name.endsWith("EV") ? chips(figures[name]) : percent(figures[name])));
    return make("tr", {}, make("th", { scope: "row" }, button), make("td", {}, actor), cells, told);
  }
}

customElements.define("runout-report", RunoutReport);

// <strategy-grid>: the classes of hands, each a cell of bars: as wide as its actions are frequent, as
// high as its hands are. `cell` events have the name of the class that was chosen.

import { make, percent } from "./element.js";

class StrategyGrid extends HTMLElement {
  #chosen = "";

  /** `cells` are [name, weight, shares, EV, equity], row by row; `actions` have label and color. */
  draw({ cells, actions, deck }, title = "") {
    const ranks = new Set(deck.match(/../g).map((card) => card[0]));
    const kept = cells.filter(([name]) => ranks.has(name[0]) && ranks.has(name[1]));
    const width = ranks.size;
    const rows = [];
    for (let at = 0; at < kept.length; at += width) {
      const row = kept.slice(at, at + width).map((cell) => this.#cell(cell, actions));
      rows.push(make("div", { role: "row" }, row));
    }
    this.setAttribute("role", "grid");
    this.setAttribute("aria-label", `Strategy by class of hands${title && `, ${title}`}`);
    this.style.setProperty("--width", width);
    this.replaceChildren(...rows);
    this.#buttons()[0].tabIndex = 0;
    this.onkeydown = (event) => this.#move(event, width);
    this.choose(this.#chosen);
  }

  get chosen() {
    return this.#chosen;
  }

  choose(name) {
    this.#chosen = name;
    for (const button of this.#buttons()) {
      button.setAttribute("aria-selected", button.dataset.name === name);
    }
  }

  #buttons() {
    return [...this.querySelectorAll("button")];
  }

  #cell([name, weight, shares, ev, equity], actions) {
    const cell = make("button", { role: "gridcell", type: "button", tabIndex: -1 }, name);
    cell.dataset.name = name;
    if (shares.length) this.#paint(cell, weight, shares, actions);
    else cell.classList.add("absent");
    const told = shares.map((share, at) => `${actions[at].label} ${percent(share)}`);
    if (shares.length) told.push(`weight ${percent(weight)}`);
    if (ev !== null) told.push(`EV ${ev.toFixed(2)}`);
    if (equity !== null) told.push(`equity ${percent(equity)}`);
    cell.ariaLabel = `${name}: ${told.join(", ") || "not in the range"}`;
    cell.title = cell.ariaLabel;
    cell.onclick = () => {
      this.choose(name);
      this.dispatchEvent(new CustomEvent("cell", { detail: name, bubbles: true }));
    };
    return cell;
  }

  #paint(cell, weight, shares, actions) {
    let from = 0;
    const stops = shares.flatMap((share, at) => {
      const to = from + 100 * share;
      const stop = share > 0 ? [`${actions[at].color} ${from.toFixed(1)}% ${to.toFixed(1)}%`] : [];
      from = to;
      return stop;
    });
    const first = stops[0].split(" ")[0];
    cell.style.backgroundImage = `linear-gradient(90deg, ${stops.length > 1 ? stops : [first, first]})`;
    cell.style.backgroundSize = `100% ${Math.max(100 * weight, 4).toFixed(0)}%`;
  }

  /** Arrow keys move among the cells. */
  #move(event, width) {
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: width, ArrowUp: -width };
    const buttons = this.#buttons();
    const to = buttons[buttons.indexOf(event.target) + steps[event.key]];
    if (!to) return;
    event.preventDefault();
    event.target.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  }
}

customElements.define("strategy-grid", StrategyGrid);

// <range-editor>: a range as a grid that is painted with a brush, and as text, both ways. An `edited`
// event comes with every change; `text` is the range.

import { attempt, make, percent } from "./element.js";
import { get, post } from "./server.js";

const RANKS = "AKQJT98765432";
const PRESETS = { any: "random", "top 15%": "77+,A8s+,K9s+,QTs+,JTs,ATo+,KTo+,QJo", pairs: "22+", none: "none" };

class RangeEditor extends HTMLElement {
  #weights = {};
  #paints = null;
  #asked = "";

  connectedCallback() {
    const label = this.getAttribute("label");
    this.field = make("textarea", { rows: 2, ariaLabel: `${label}, as text`, onchange: () => this.read(this.field.value) });
    this.brush = make("input", { type: "range", min: 0, max: 100, value: 100, ariaLabel: `${label}, weight of the brush` });
    this.shown = make("output", {}, "100%");
    this.brush.oninput = () => { this.shown.textContent = `${this.brush.value}%`; };
    this.grid = make("div", { className: "brushed", role: "grid", ariaLabel: `${label}, by class of hands` }, this.#rows());
    this.count = make("span", { className: "note" });
    const presets = Object.entries(PRESETS).map(([name, text]) => make("button", { type: "button", onclick: () => this.read(text) }, name));
    this.replaceChildren(
      make("h2", {}, label),
      make("p", { className: "presets" }, presets, this.count),
      this.grid,
      make("label", {}, "Brush ", this.brush, this.shown),
      this.field);
    this.grid.onpointerdown = (event) => this.#begin(event);
    this.grid.onpointerover = (event) => this.#paints !== null && this.#paint(event.target, this.#paints);
    this.up = () => this.#end();
    addEventListener("pointerup", this.up);
    this.grid.onkeydown = (event) => this.#press(event);
  }

  disconnectedCallback() {
    removeEventListener("pointerup", this.up);
  }

  get text() {
    return this.field.value;
  }

  /** Shows the range that `text` names. */
  async read(text) {
    this.#asked = text;
    const found = await attempt(() => get("range", { text }));
    if (!found || text !== this.#asked) return; // something later was asked for
    this.#weights = found.weights;
    this.field.value = text;
    this.#show();
    this.dispatchEvent(new CustomEvent("edited", { bubbles: true }));
  }

  #rows() {
    return [...RANKS].map((high, row) => make("div", { role: "row" }, [...RANKS].map((low, column) => {
      const name = row < column ? `${high}${low}s` : row > column ? `${low}${high}o` : high + low;
      const cell = make("button", { type: "button", role: "gridcell", tabIndex: row + column ? -1 : 0 }, name);
      cell.dataset.name = name;
      return cell;
    })));
  }

  /** A brush that meets what it has painted already takes it away. */
  #begin(event) {
    if (!event.target.dataset.name) return;
    event.preventDefault();
    const weight = this.brush.value / 100;
    this.#paints = this.#weights[event.target.dataset.name] === weight ? 0 : weight;
    this.#paint(event.target, this.#paints);
  }

  #paint(cell, weight) {
    if (!cell.dataset.name) return;
    this.#weights[cell.dataset.name] = weight;
    this.#show();
  }

  async #end() {
    if (this.#paints === null) return;
    this.#paints = null;
    const known = Object.fromEntries(Object.entries(this.#weights).filter(([, weight]) => weight > 0));
    const written = await attempt(() => post("range", { weights: known }));
    if (!written) return;
    this.field.value = written.text;
    this.dispatchEvent(new CustomEvent("edited", { bubbles: true }));
  }

  #press(event) {
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 13, ArrowUp: -13 };
    const cells = [...this.grid.querySelectorAll("button")];
    const to = cells[cells.indexOf(event.target) + steps[event.key]];
    if (to) {
      event.target.tabIndex = -1;
      to.tabIndex = 0;
      to.focus();
    } else if (event.key === " " || event.key === "Enter") {
      this.#begin(event);
      this.#end();
    } else return;
    event.preventDefault();
  }

  #show() {
    for (const cell of this.grid.querySelectorAll("button")) {
      const weight = this.#weights[cell.dataset.name] ?? 0;
      cell.style.backgroundSize = `100% ${Math.min(100, 100 * weight)}%`;
      cell.ariaLabel = `${cell.dataset.name} ${percent(weight)}`;
      cell.ariaPressed = weight > 0;
    }
    const sizes = { s: 4, o: 12 };
    const hands = Object.entries(this.#weights).reduce((sum, [name, weight]) => sum + weight * (sizes[name[2]] ?? 6), 0);
    this.count.textContent = ` ${hands.toFixed(1)} hands, ${percent(hands / 1326)}`;
  }
}

customElements.define("range-editor", RangeEditor);

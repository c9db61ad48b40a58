// <decision-view>: what a run does at one decision: totals, the grid, and the hands of a cell.

import "./action-totals.js";
import "./bucket-chart.js";
import "./hand-list.js";
import "./strategy-grid.js";
import { attempt, make } from "./element.js";
import { get } from "./server.js";

class DecisionView extends HTMLElement {
  #place = null;
  #given = {};

  connectedCallback() {
    this.heading = make("h2", { hidden: true });
    this.totals = make("action-totals");
    this.grid = make("strategy-grid");
    this.hands = make("hand-list");
    this.chart = make("bucket-chart");
    this.buckets = make("details", { hidden: true, ontoggle: () => attempt(() => this.#showBuckets()) },
      make("summary", {}, "Buckets: which hands the bot cannot tell apart"), this.chart);
    this.replaceChildren(make("div", {}, this.heading, this.totals, this.grid, this.buckets), this.hands);
  }

  /** `title` names the run where there are two. */
  draw(place, title = "") {
    this.#place = place;
    this.heading.textContent = title;
    this.heading.hidden = !title;
    this.grid.hidden = !place.cells;
    if (place.cells) this.grid.draw(place, title);
    this.totals.draw(place.actions);
    this.hands.replaceChildren();
    this.buckets.hidden = true;
    this.buckets.open = false;
    this.chart.replaceChildren();
  }

  /** All hands are asked for only once somebody wants to see them. */
  async #showBuckets() {
    const place = this.#place;
    if (!this.buckets.open || !place) return;
    const found = await get("hands", { ...this.#given, cell: "" });
    if (place === this.#place) this.chart.draw(found.hands, place.actions, found.buckets);
  }

  /** Says why there is nothing to see. */
  refuse(title, sentence) {
    this.#place = null;
    this.heading.textContent = title;
    this.heading.hidden = false;
    this.grid.hidden = this.buckets.hidden = true;
    this.totals.replaceChildren(make("p", { className: "note" }, sentence));
    this.hands.replaceChildren();
  }

  /** Lists the hands of a cell, unless something else is asked for meanwhile. */
  async list(given) {
    const place = this.#place;
    if (!place) return;
    this.#given = given;
    this.buckets.hidden = Boolean(place.positions); // a spot has none: it plays every hand by itself
    this.grid.choose(given.cell);
    if (!given.cell && place.cells) {
      this.hands.replaceChildren(make("p", { className: "note" }, "Choose a cell to see its hands."));
      return;
    }
    const found = await get("hands", given);
    if (place === this.#place && this.grid.chosen === given.cell) {
      this.hands.draw(given.cell || "All hands", found.hands, place.actions);
    }
  }
}

customElements.define("decision-view", DecisionView);

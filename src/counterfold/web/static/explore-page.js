// <explore-page>: a bot or a spot, line by line.

import "./action-ribbon.js";
import "./action-totals.js";
import "./card-picker.js";
import "./hand-list.js";
import "./strategy-grid.js";
import { attempt, chips, make, percent } from "./element.js";
import { cardRow } from "./playing-card.js";
import { get, link } from "./server.js";

class ExplorePage extends HTMLElement {
  #given = {};
  #place = null;

  connectedCallback() {
    this.ribbon = make("action-ribbon");
    this.grid = make("strategy-grid");
    this.totals = make("action-totals");
    this.hands = make("hand-list");
    this.picker = make("card-picker");
    this.facts = make("p", { className: "facts" });
    this.filter = make("input", { type: "search", id: "filter", placeholder: "top pair+, flush draw", onchange: () => this.#go({ hands: this.filter.value.trim() }) });
    this.heading = make("h1", {}, "Explorer");
    const label = make("label", { htmlFor: "filter" }, "Only hands ");
    this.decision = make("section", { className: "decision", ariaLabel: "The decision" },
      make("div", {}, this.totals, this.grid, label, this.filter), this.hands);
    this.replaceChildren(this.heading, this.ribbon, this.facts, this.picker, this.decision);
    this.ribbon.addEventListener("line", (event) => this.#go({ line: event.detail }));
    this.picker.addEventListener("cards", (event) => this.#go({ line: `${this.#place.line} | ${event.detail}` }));
    this.grid.addEventListener("cell", (event) => this.#go({ cell: event.detail }));
  }

  /** Everything that is shown is in the address, so that it can be sent to somebody. */
  #go(changes) {
    location.hash = link("explore", { ...this.#given, ...changes });
  }

  async open(query) {
    const before = this.#given;
    const given = Object.fromEntries(["run", "line", "hands", "cell"].map((key) => [key, query.get(key) ?? ""]));
    this.#given = given;
    const same = this.#place && ["run", "line", "hands"].every((key) => before[key] === given[key]);
    if (!same) await attempt(() => this.#look(given));
    if (this.#given === given && this.#place?.end === "decision") await attempt(() => this.#list(given));
  }

  async #look({ run, line, hands }) {
    const asked = this.#given;
    const place = await get("look", { run, line, hands });
    if (asked !== this.#given) return; // a later click was answered first
    this.#place = place;
    document.title = `${run} · Counterfold`;
    this.heading.textContent = run;
    this.filter.value = hands;
    this.ribbon.draw(place);
    this.#tellFacts(place);
    const decides = place.end === "decision";
    this.decision.hidden = !decides;
    this.picker.hidden = place.end !== "deal";
    if (place.end === "deal") this.picker.draw({ deck: place.deck, dead: place.board, n: place.due });
    if (!decides) return;
    this.grid.hidden = !place.cells;
    if (place.cells) this.grid.draw(place);
    this.totals.draw(place.actions);
  }

  #tellFacts(place) {
    const parts = [place.game, `pot ${place.pot}`];
    if (place.to_call) parts.push(`to call ${place.to_call}`);
    for (const [name, figures] of Object.entries(place.totals ?? {})) {
      parts.push(`${name} EV ${chips(figures.ev ?? 0)}, equity ${percent(figures.equity ?? 0)}`);
    }
    if (place.note) parts.push(place.note);
    this.facts.replaceChildren(cardRow(place.board), parts.join(" · "));
  }

  async #list(given) {
    const listsAll = !this.#place.cells;
    if (!given.cell && !listsAll) {
      this.grid.choose("");
      this.hands.replaceChildren(make("p", { className: "note" }, "Choose a cell to see its hands."));
      return;
    }
    this.grid.choose(given.cell);
    const found = await get("hands", given);
    if (given !== this.#given) return;
    this.hands.draw(given.cell || "All hands", found.hands, this.#place.actions);
  }
}

customElements.define("explore-page", ExplorePage);

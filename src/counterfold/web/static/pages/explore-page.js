// <explore-page>: a bot or a spot, line by line; beside it another run at the same line.

import "../action-ribbon.js";
import "../card-picker.js";
import "../decision-view.js";
import "../hand-filter.js";
import "../runout-report.js";
import "../value-finder.js";
import { attempt, chips, make, percent, within } from "../element.js";
import { cardRow } from "../playing-card.js";
import { get, link } from "../server.js";

const KEYS = ["run", "other", "line", "hands", "exploit", "cell"];

class ExplorePage extends HTMLElement {
  #given = {};
  #place = null;
  #listed = ""; // the run whose others are listed

  connectedCallback() {
    this.ribbon = make("action-ribbon");
    this.view = make("decision-view");
    this.beside = make("decision-view");
    this.picker = make("card-picker");
    this.runouts = make("runout-report");
    this.facts = make("p", { className: "facts" });
    this.filter = make("hand-filter");
    this.values = make("value-finder");
    this.heading = make("h1", {}, "Explorer");
    this.others = make("select", { onchange: () => this.#go({ other: this.others.value }) });
    this.exploit = make("select", { onchange: () => this.#go({ exploit: this.exploit.value }) },
      [["", "nobody"], ["oop", "oop"], ["ip", "ip"]].map(([value, text]) => make("option", { value }, text)));
    this.spot = make("span", { className: "tools" }, make("label", {}, "Best response of ", this.exploit), this.lock = make("a", {}, "Lock this decision"));
    this.decision = make("section", { className: "decision", ariaLabel: "The decision" }, this.view, this.beside);
    this.tools = make("div", { className: "tools" }, this.filter, make("label", {}, "Compare with ", this.others), this.spot, this.values);
    this.replaceChildren(this.heading, this.ribbon, this.facts, this.tools, this.picker, this.runouts, this.decision);
    this.addEventListener("line", (event) => this.#go({ line: event.detail }));
    this.addEventListener("filter", (event) => this.#go({ hands: event.detail }));
    this.addEventListener("cell", (event) => this.#go({ cell: event.detail }));
    this.addEventListener("values", () => this.#refresh());
    this.picker.addEventListener("cards", (event) => this.#go({ line: `${this.#place.line} | ${event.detail}` }));
  }

  /** Everything that is shown is in the address, so that it can be sent to somebody. */
  #go(changes) {
    location.hash = link("explore", { ...this.#given, ...changes });
  }

  async open(query) {
    const before = this.#given;
    const given = Object.fromEntries(KEYS.map((key) => [key, query.get(key) ?? ""]));
    this.#given = given;
    const same = this.#place && KEYS.slice(0, -1).every((key) => before[key] === given[key]);
    if (!same) await attempt(() => this.#look(given));
    if (this.#given !== given || this.#place?.end !== "decision") return;
    await this.#list(given);
  }

  /** Draws the same place again: more is known about it. */
  async #refresh() {
    const given = this.#given;
    await attempt(() => this.#look(given));
    if (this.#given === given) await this.#list(given);
  }

  async #list({ other, ...own }) {
    await attempt(() => Promise.all([this.view.list(own), other ? this.beside.list({ ...own, run: other }) : null]));
  }

  async #look({ run, other, line, hands, exploit }) {
    const asked = this.#given;
    const place = await get("look", { run, line, hands, exploit });
    if (asked !== this.#given) return; // a later click was answered first
    this.#place = place;
    document.title = `${run} · Counterfold`;
    this.heading.textContent = run;
    this.filter.draw(hands);
    this.ribbon.draw(place);
    this.#tellFacts(place);
    const [decides, deals] = [place.end === "decision", place.end === "deal"];
    this.decision.hidden = this.tools.hidden = !decides;
    this.picker.hidden = !deals;
    this.runouts.hidden = !deals || place.due !== 1;
    if (deals) this.picker.draw({ deck: place.deck, dead: place.board, n: place.due });
    if (!this.runouts.hidden) this.runouts.draw({ run, line, hands });
    if (!decides) return;
    this.#offerLock(run, place);
    this.values.draw(place.values, { run, line });
    this.view.draw(place, other ? run : "");
    this.beside.hidden = !other;
    this.decision.classList.toggle("two", Boolean(other));
    if (other) await this.#compare({ other, line, hands, exploit }, asked);
    if (asked === this.#given) await this.#listOthers(run, other, place.game);
  }

  async #compare({ other, line, hands, exploit }, asked) {
    try {
      const place = await get("look", { run: other, line, hands, exploit });
      if (asked !== this.#given) return;
      if (place.end === "decision") this.beside.draw(place, other);
      else this.beside.refuse(other, "Nobody acts there.");
    } catch (error) {
      this.beside.refuse(other, `It does not have this line: ${error.message}`);
    }
  }

  /** Of a spot: whose best response to show, and the way to solve it again with this decision fixed. */
  #offerLock(run, { positions, line, actions }) {
    this.spot.hidden = !positions;
    if (!positions) return;
    this.exploit.value = this.#given.exploit;
    const hundredths = actions.map(({ share }) => Math.round(100 * share));
    const most = hundredths.indexOf(Math.max(...hundredths));
    hundredths[most] += 100 - hundredths.reduce((sum, each) => sum + each, 0); // they must add up to 1
    const shares = actions.map(({ word }, at) => `${word}=${hundredths[at] / 100}`).join(", ");
    this.lock.href = link("spots", { run, lock: `${line} : ${shares}` });
  }

  /** Runs of the same game come first: those can be compared line by line. */
  async #listOthers(run, other, game) {
    if (this.#listed === run) {
      this.others.value = other;
      return;
    }
    const { runs } = await get("runs");
    const found = runs.filter(({ name, kind }) => name !== run && kind !== "solve");
    found.sort((one, two) => (two.game === game) - (one.game === game));
    this.others.replaceChildren(make("option", { value: "" }, "nothing"), ...found.map(({ name }) => make("option", { value: name }, name)));
    this.others.value = other;
    this.#listed = run;
  }

  #tellFacts(place) {
    const parts = [place.game, `pot ${place.pot}`];
    if (place.to_call) parts.push(`to call ${place.to_call}`);
    for (const [name, figures] of Object.entries(place.totals ?? {})) {
      parts.push(`${name} EV ${chips(figures.ev ?? 0)}, equity ${percent(figures.equity ?? 0)}`);
    }
    for (const [name, ev] of Object.entries(place.values?.ranges ?? {})) parts.push(`${name} EV ${within(ev)}`);
    if (place.note) parts.push(place.note);
    this.facts.replaceChildren(cardRow(place.board), parts.join(" · "));
  }
}

customElements.define("explore-page", ExplorePage);

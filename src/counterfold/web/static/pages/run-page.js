// <run-page>: how a run got on, drawn again while it changes.

import "../curve-chart.js";
import { attempt, brief, make } from "../element.js";
import { get, link } from "../server.js";

const WATCH_MILLISECONDS = 2000;

class RunPage extends HTMLElement {
  #timer = 0;
  #seen = null;

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  async open(query) {
    const run = query.get("run") ?? "";
    clearInterval(this.#timer);
    this.#seen = null;
    this.measures = make("section", { ariaLabel: "Exploitability" });
    this.recipe = null; // kept as it was opened
    await attempt(() => this.#look(run));
    this.#timer = setInterval(() => this.#look(run).catch(() => clearInterval(this.#timer)), WATCH_MILLISECONDS);
  }

  async #look(run) {
    const found = await get("curve", { run });
    if (found.modified === this.#seen) return;
    const first = this.#seen === null;
    this.#seen = found.modified;
    document.title = `${run} · Counterfold`;
    const page = found.kind === "solve" ? "infosets" : "explore";
    this.recipe ??= this.#recipe(found.recipe);
    this.replaceChildren(
      make("h1", {}, run),
      make("p", { className: "facts" }, `${found.game} · ${found.iterations.toLocaleString("en-US")} iterations in ${found.seconds.toFixed(1)} s · drawn again whenever the run is saved`),
      make("p", { className: "links" }, make("a", { href: link(page, { run }) }, "Explore"),
        found.kind === "train" ? make("a", { href: link("table", { run }) }, "Play") : null),
      this.recipe,
      this.measures,
      ...found.curves.flatMap((curve) => this.#curve(curve)));
    if (first && found.kind === "train") attempt(() => this.#measure(run));
  }

  /** How much was won from the bot in the real game: slower than its curves, since it opens the bot. */
  async #measure(run) {
    const { measures } = await get("measures", { run });
    if (!measures) return; // there is no strategy yet
    const told = measures.length ? measures : [`not measured yet: counterfold respond ${run}`];
    this.measures.replaceChildren(make("h2", {}, "Exploitability in the real game"), make("ul", {}, told.map((text) => make("li", {}, text))));
  }

  #recipe({ name, text }) {
    return make("details", {}, make("summary", {}, name ? `Recipe ${name}` : "Settings"), make("pre", { tabIndex: 0, ariaLabel: "Recipe" }, text));
  }

  #curve({ title, unit, points }) {
    const chart = make("curve-chart");
    chart.draw(points, title, unit);
    const last = points.at(-1);
    return [make("h2", {}, last ? `${title}: ${brief(last[1])} ${unit}` : title), chart];
  }
}

customElements.define("run-page", RunPage);

// <train-page>: a recipe, what it will take, and its training begun, watched and stopped.

import { attempt, brief, make, percent } from "../element.js";
import { get, link, post } from "../server.js";

const WATCH_MILLISECONDS = 1000;
const megabytes = (number) => `${brief(number / 1e6)} MB`;

class TrainPage extends HTMLElement {
  #timer = 0;

  connectedCallback() {
    this.recipe = make("select", { id: "recipe", onchange: () => this.#tellRecipe() });
    this.about = make("p", { className: "note" });
    this.seconds = make("input", { id: "seconds", type: "number", min: 1, step: 1, value: 120, required: true });
    this.threads = make("input", { id: "threads", type: "number", min: 1, max: 256, step: 1, value: 1, required: true });
    this.cost = make("p", { className: "facts", role: "status" });
    this.state = make("p", { className: "facts", role: "status" });
    this.go = make("button", { className: "main" }, "Train");
    this.stop = make("button", { type: "button", disabled: true, onclick: () => attempt(async () => this.#tell(await post("end"))) }, "Stop and keep");
    const estimate = make("button", { type: "button", onclick: () => this.#estimate() }, "Estimate");
    const field = (text, input) => make("label", { htmlFor: input.id }, `${text} `, input);
    this.replaceChildren(
      make("h1", {}, "Train"),
      make("form", { onsubmit: (event) => { event.preventDefault(); this.#begin(); } },
        field("Recipe", this.recipe), field("Seconds", this.seconds), field("Threads", this.threads), estimate, this.go, this.stop),
      this.about, this.cost, this.state);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  async open() {
    document.title = "Train · Counterfold";
    const found = await attempt(() => Promise.all([get("recipes"), get("training")]));
    if (!found) return;
    const [{ recipes }, told] = found;
    this.recipes = new Map(recipes.map((recipe) => [recipe.name, recipe]));
    this.recipe.replaceChildren(...recipes.map(({ name }) => make("option", { value: name }, name)));
    this.#tellRecipe();
    this.#tell(told);
    clearInterval(this.#timer);
    this.#timer = setInterval(async () => this.#tell(await get("training")), WATCH_MILLISECONDS);
  }

  #tellRecipe() {
    const { variant, about } = this.recipes.get(this.recipe.value);
    this.about.textContent = `${variant}: ${about}`;
    this.cost.textContent = "";
  }

  async #estimate() {
    const cost = await attempt(() => get("cost", { recipe: this.recipe.value }));
    if (!cost) return;
    const build = cost.tables.disk_bytes ? `, card tables to build first: ${Math.ceil(cost.tables.seconds)} s, ${megabytes(cost.tables.disk_bytes)} on disk` : "";
    const rate = cost.iterations_per_second === null ? "" : `, about ${brief(cost.iterations_per_second)} ${cost.unit}/s`;
    this.cost.textContent = `${cost.infosets.toLocaleString("en-US")} information sets, ${megabytes(cost.training_bytes)} of memory${rate}${build}`;
  }

  async #begin() {
    const given = { recipe: this.recipe.value, seconds: Number(this.seconds.value), threads: Number(this.threads.value) };
    const told = await attempt(() => post("train", given));
    if (told) this.#tell(told);
  }

  #tell({ training }) {
    this.stop.disabled = !training || training.done;
    this.go.disabled = Boolean(training && !training.done);
    if (!training) return;
    const { recipe, step, iterations, seconds, rate, trained, done, stopped, error, run } = training;
    const far = iterations ? `${iterations.toLocaleString("en-US")} iterations in ${seconds.toFixed(0)} s, ${brief(rate ?? 0)} per second, ${percent(trained)} of the information sets trained` : step;
    const end = error || (done ? (stopped ? "; stopped and kept. " : "; done. ") : " … ");
    const text = `${recipe}: ${far}${end}`;
    if (this.state.dataset.text === text + run) return;
    this.state.dataset.text = text + run;
    this.state.replaceChildren(text);
    if (run) this.state.append(make("a", { href: link("run", { run }) }, "Curves"), " ", make("a", { href: link("explore", { run }) }, "Explore"), " ", make("a", { href: link("table", { run }) }, "Play"));
  }
}

customElements.define("train-page", TrainPage);

// <spots-page>: two ranges on a board, solved while one watches.

import "../card-picker.js";
import "../curve-chart.js";
import "../range-editor.js";
import { attempt, brief, make } from "../element.js";
import { split } from "../playing-card.js";
import { get, link, listen, post } from "../server.js";

const DECK = [..."AKQJT98765432"].flatMap((rank) => [..."shdc"].map((suit) => rank + suit)).join("");
const bytes = (number) => (number < 1e6 ? "under 1 MB" : number < 1e9 ? `${Math.round(number / 1e6)} MB` : `${(number / 1e9).toFixed(1)} GB`);

class SpotsPage extends HTMLElement {
  #job = "";

  connectedCallback() {
    this.oop = make("range-editor", { label: "First to act (oop)" });
    this.ip = make("range-editor", { label: "In position (ip)" });
    this.board = make("input", { id: "board", value: "Td9d6hQc", size: 12, onchange: () => this.#drawBoard() });
    this.picker = make("card-picker");
    this.pot = this.#number("pot", 200, 1);
    this.stack = this.#number("stack", 900, 1);
    this.bets = make("input", { id: "bets", value: "50%, 100%, allin", size: 24 });
    this.target = this.#number("target", 0.5, 0.01);
    this.rake = make("input", { id: "rake", type: "number", value: 0, min: 0, max: 99, step: "any" });
    this.cap = make("input", { id: "cap", type: "number", value: 0, min: 0, step: "any" });
    this.locks = make("textarea", { id: "locks", rows: 3, placeholder: "k b50% : c=1\nk : AKs : b50%=1" });
    this.cost = make("p", { className: "facts", role: "status" });
    this.chart = make("curve-chart");
    this.go = make("button", { className: "main" }, "Solve");
    this.stop = make("button", { type: "button", disabled: true, onclick: () => attempt(() => post("stop", { job: this.#job })) }, "Stop and keep");
    const estimate = make("button", { type: "button", onclick: () => this.#estimate() }, "Estimate");
    const field = (text, input) => make("label", { htmlFor: input.id }, `${text} `, input);
    this.more = make("details", {}, make("summary", {}, "Rake and locks"),
      make("p", {}, field("Rake, % of every pot", this.rake), " ", field("at most, in chips (0 for no cap)", this.cap)),
      make("p", {}, make("label", { htmlFor: "locks" }, "Locks, one per line: the line, any hands, and what they do")), this.locks);
    this.replaceChildren(
      make("h1", {}, "Spots"),
      make("form", { onsubmit: (event) => { event.preventDefault(); this.#solve(); } },
        field("Board", this.board), field("Pot", this.pot), field("Stack", this.stack), field("Bets", this.bets),
        field("Target, % of the pot", this.target), estimate, this.go, this.stop),
      make("details", {}, make("summary", {}, "Choose the board by card"), this.picker),
      this.more,
      this.cost, this.chart,
      make("div", { className: "ranges" }, this.oop, this.ip));
    this.picker.addEventListener("picked", (event) => { this.board.value = event.detail; });
  }

  async open(query) {
    document.title = "Spots · Counterfold";
    if (query.get("run")) {
      await attempt(() => this.#fill(query.get("run"), query.get("lock")));
      return;
    }
    if (this.oop.text) return;
    this.oop.read("TT+,AJs+,KQs");
    this.ip.read("99-22,AQs-ATs,KJs");
    this.#drawBoard();
  }

  /** A spot that was solved, to change something and solve it again; `lock` is one more. */
  async #fill(run, lock) {
    const spot = await get("spot", { run });
    for (const key of ["board", "pot", "stack", "bets", "rake"]) this[key].value = spot[key];
    this.cap.value = spot.rake_cap;
    this.locks.value = [...spot.locks, ...(lock ? [lock] : [])].join("\n");
    this.more.open = Boolean(this.locks.value || spot.rake);
    await Promise.all([this.oop.read(spot.oop), this.ip.read(spot.ip)]);
    this.#drawBoard();
  }

  #number(id, value, step) {
    return make("input", { id, type: "number", value, min: step, step, required: true });
  }

  #drawBoard() {
    this.picker.draw({ deck: DECK, dead: "", n: 5, picked: split(this.board.value) });
  }

  get #spot() {
    return {
      board: this.board.value, oop: this.oop.text, ip: this.ip.text, pot: Number(this.pot.value),
      stack: Number(this.stack.value), bets: this.bets.value, target: Number(this.target.value),
      rake: Number(this.rake.value), rake_cap: Number(this.cap.value),
      locks: this.locks.value.split("\n").map((line) => line.trim()).filter(Boolean),
    };
  }

  async #estimate() {
    const cost = await attempt(() => post("estimate", this.#spot));
    if (!cost) return;
    const seconds = cost.expected_seconds < 1 ? "less than a second" : `about ${Math.ceil(cost.expected_seconds)} s`;
    this.cost.textContent = `${cost.nodes.toLocaleString("en-US")} nodes, ${cost.boards.toLocaleString("en-US")} boards, ${bytes(cost.memory_bytes)}, ${seconds}`;
  }

  async #solve() {
    const begun = await attempt(() => post("solve", this.#spot));
    if (!begun) return;
    this.#job = begun.job;
    this.go.disabled = true;
    this.stop.disabled = false;
    await attempt(() => listen("progress", { job: begun.job }, (told) => this.#tell(told)));
    this.go.disabled = false;
    this.stop.disabled = true;
  }

  #tell(told) {
    if (told.error) throw new Error(told.error);
    const last = told.points.at(-1);
    const far = last ? `exploitability ${brief(last[1])}% of the pot` : "begun";
    this.cost.textContent = `${told.iterations.toLocaleString("en-US")} iterations in ${told.seconds.toFixed(1)} s: ${far}${told.done ? (told.stopped ? "; stopped and kept. " : "; done. ") : " …"}`;
    if (told.run) this.cost.append(make("a", { href: link("explore", { run: told.run }) }, "Explore it"));
    this.chart.draw(told.points, "Exploitability by iterations", "%");
  }
}

customElements.define("spots-page", SpotsPage);

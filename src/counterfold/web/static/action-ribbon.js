// <action-ribbon>: the line step by step, each decision with all that was offered. `line` events
// have the line to go to.

import { make } from "./element.js";
import { cardRow } from "./playing-card.js";

class ActionRibbon extends HTMLElement {
  draw(place) {
    const steps = place.steps.map((step) => (step.actor ? this.#decision(step) : this.#deal(step)));
    const start = this.#step("start", [this.#button("begin", "", place.line === "")]);
    this.replaceChildren(make("ol", { ariaLabel: "The line so far" }, start, ...steps, this.#end(place)));
    this.querySelector("li:last-child").scrollIntoView({ block: "nearest", inline: "end" });
  }

  #step(title, children) {
    return make("li", {}, make("span", { className: "who" }, title), ...children);
  }

  #decision(step) {
    const buttons = step.offered.map((offer, at) => this.#button(offer.label, offer.line, at === step.taken));
    return this.#step(step.actor, buttons);
  }

  #deal(step) {
    const back = this.#button("other cards", step.line, false);
    return this.#step("dealt", [step.cards ? cardRow(step.cards) : "no cards yet", back]);
  }

  #end(place) {
    const ends = { decision: place.actor, deal: "to be dealt", over: "hand over" };
    const offered = (place.actions ?? []).map((action) => this.#button(action.label, action.line, false));
    const told = make("span", { className: "pot" }, `pot ${place.pot}`);
    const step = this.#step(ends[place.end], [told, ...offered]);
    step.setAttribute("aria-current", "step");
    return step;
  }

  #button(label, line, taken) {
    const go = () => this.dispatchEvent(new CustomEvent("line", { detail: line, bubbles: true }));
    return make("button", { type: "button", onclick: go, ariaPressed: taken }, label);
  }
}

customElements.define("action-ribbon", ActionRibbon);

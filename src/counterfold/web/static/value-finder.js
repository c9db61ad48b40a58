// <value-finder>: whether the EV of a bot's hands is known, and the button that computes it. `values`
// events tell that there are new ones.

import { attempt, make, say } from "./element.js";
import { listen, post } from "./server.js";

class ValueFinder extends HTMLElement {
  #listening = null; // what can be aborted
  #work = ""; // its name
  #given = {};

  connectedCallback() {
    this.go = make("button", { type: "button", onclick: () => attempt(() => this.#compute()) }, "Compute EV");
    this.stop = make("button", { type: "button", hidden: true, onclick: () => attempt(() => post("settle", { work: this.#work })) }, "Stop and keep");
    this.bar = make("progress", { hidden: true, ariaLabel: "Run-outs taken" });
    this.told = make("span", { className: "note", role: "status" });
    this.replaceChildren(this.go, this.bar, this.stop, this.told);
    this.hidden = true; // until a decision is drawn
  }

  disconnectedCallback() {
    this.leave();
  }

  /** `values` say how the EV was found, or why it cannot be; without them it is not known yet. */
  draw(values, given) {
    this.leave();
    this.#show(false);
    this.#given = given;
    this.hidden = !values;
    this.go.hidden = Boolean(values?.refused || values?.told?.startsWith("exact"));
    this.go.textContent = values?.told ? "Compute EV again" : "Compute EV";
    this.told.textContent = values?.refused ?? (values?.told ? `EV is ${values.told}.` : "");
  }

  /** Nobody waits any more. */
  leave() {
    this.#listening?.abort();
    this.#listening = null;
  }

  async #compute() {
    this.leave();
    const listening = (this.#listening = new AbortController());
    this.#show(true);
    try {
      await listen("values", this.#given, (told) => this.#tell(told), listening.signal);
    } catch (error) {
      if (listening.signal.aborted) return;
      throw error;
    } finally {
      if (!listening.signal.aborted) this.#show(false);
    }
    this.dispatchEvent(new CustomEvent("values", { bubbles: true }));
  }

  #show(works) {
    this.go.hidden = works;
    this.bar.hidden = this.stop.hidden = !works;
    this.bar.removeAttribute("value");
    if (works) this.told.textContent = "";
  }

  #tell({ error, work, runouts, wanted }) {
    if (error) throw new Error(error);
    say("");
    this.#work = work;
    this.bar.max = wanted;
    this.bar.value = runouts;
    this.told.textContent = `${runouts.toLocaleString("en-US")} of ${wanted.toLocaleString("en-US")} run-outs`;
  }
}

customElements.define("value-finder", ValueFinder);

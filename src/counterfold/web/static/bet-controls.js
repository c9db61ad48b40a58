// <bet-controls>: the actions of the person to act, with their keys. Events: `act`, `next`, `hint`.

import { make } from "./element.js";

const NEXT = "n";
const HINT = "h";
const HELP = "?";

class BetControls extends HTMLElement {
  #keys = new Map();

  draw({ over, turn }) {
    this.#keys = new Map();
    if (over) {
      this.replaceChildren(this.#button(NEXT, "next hand", () => this.#send("next"), "main"));
    } else {
      const buttons = turn.choices.map(({ key, text, action }) => this.#button(key, text, () => this.#send("act", action)));
      const hint = this.#button(HINT, "hint", () => this.#send("hint"), "quiet");
      this.replaceChildren(make("div", { className: "buttons", role: "group", ariaLabel: "Your action" }, buttons, hint));
      if (turn.amount) this.append(this.#spread(turn.amount));
    }
    this.#keys.set(HELP, () => { help.hidden = !help.hidden; });
    const help = make("p", { className: "note", role: "status", hidden: true },
      "Keys act wherever the focus is: those on the buttons, h for a hint, n for the next hand, Tab and arrows for an amount, ? for this help.");
    this.append(help);
    this.querySelector("button").focus({ preventScroll: true });
  }

  /** Keys act wherever the focus is, except where something is typed. */
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const act = this.#keys.get(event.key.toLowerCase());
    if (!act) return;
    event.preventDefault();
    act();
  }

  #button(key, text, act, className = "") {
    this.#keys.set(key, act);
    return make("button", { type: "button", className, onclick: act, ariaKeyShortcuts: key },
      make("kbd", { ariaHidden: "true" }, key), text);
  }

  /** A slider and a field for any amount between the bounds. */
  #spread({ low, high, verb, letter }) {
    const bounds = { min: low, max: high, step: 1, value: low };
    const slider = make("input", { type: "range", ...bounds, ariaLabel: "Amount, by slider" });
    const amount = make("input", { type: "number", ...bounds, required: true, ariaLabel: "Amount in chips" });
    slider.oninput = () => { amount.value = slider.value; };
    amount.oninput = () => { slider.value = amount.value; };
    const submit = (event) => {
      event.preventDefault();
      this.#send("act", `${letter}${Number(amount.value)}`);
    };
    return make("form", { onsubmit: submit }, slider, amount, make("button", {}, verb));
  }

  #send(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}

customElements.define("bet-controls", BetControls);

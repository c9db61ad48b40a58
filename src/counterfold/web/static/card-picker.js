// <card-picker>: chooses some cards of a deck. A `picked` event comes with every change, a `cards`
// event when all are chosen.

import { make } from "./element.js";
import { name, sign, split } from "./playing-card.js";

class CardPicker extends HTMLElement {
  #picked = [];

  /** With `picked`, up to `n` cards; these are chosen already. */
  draw({ deck, dead, n, picked = null }) {
    this.#picked = [...(picked ?? [])];
    const free = split(deck).filter((card) => !split(dead).includes(card));
    const word = n === 1 ? "the next card" : `${n} cards`;
    const buttons = [..."shdc"].map((suit) => make("div", { className: "suit" },
      split(deck).filter((card) => card[1] === suit).map((card) => make("button", {
        type: "button",
        className: `card ${suit}`,
        ariaLabel: name(card),
        ariaPressed: this.#picked.includes(card),
        disabled: !free.includes(card),
        onclick: (event) => this.#toggle(event.target, card, n),
      }, sign(card)))));
    const random = make("button", { type: "button", onclick: () => this.#random(free, n) }, "random");
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", `Choose ${word}`);
    const told = picked ? [`Up to ${word}`] : [`Choose ${word}, or take them at `, random];
    this.replaceChildren(make("p", {}, told), ...buttons);
  }

  #toggle(button, card, n) {
    const at = this.#picked.indexOf(card);
    if (at < 0 && this.#picked.length === n) return;
    if (at >= 0) this.#picked.splice(at, 1);
    else this.#picked.push(card);
    button.ariaPressed = at < 0;
    this.dispatchEvent(new CustomEvent("picked", { detail: this.#picked.join(""), bubbles: true }));
    if (this.#picked.length === n) this.#tell();
  }

  #random(free, n) {
    this.#picked = [];
    while (this.#picked.length < n) {
      this.#picked.push(...free.splice(Math.floor(Math.random() * free.length), 1));
    }
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new CustomEvent("cards", { detail: this.#picked.join(""), bubbles: true }));
  }
}

customElements.define("card-picker", CardPicker);

// <hand-filter>: which hands to look at, by choosing or in words. `filter` events have the words.

import { make } from "./element.js";

const MADE = ["high card", "underpair", "bottom pair", "middle pair", "top pair", "overpair", "two pair", "trips", "set", "straight", "flush", "full house", "quads", "straight flush"];
const DRAWS = ["flush draw", "open-ended", "gutshot", "backdoor flush draw", "overcards", "no draw"];
const SUITS = ["suited", "offsuit", "clubs", "diamonds", "hearts", "spades"];

class HandFilter extends HTMLElement {
  connectedCallback() {
    const made = MADE.slice(0, -1).flatMap((name) => [name, `${name}+`]);
    this.selects = [
      this.#select("Made hand", [...made, MADE.at(-1)]), this.#select("Draw", DRAWS), this.#select("Suit", SUITS)];
    this.words = make("input", { type: "search", id: "filter", placeholder: "top pair+, flush draw with hearts", onchange: () => this.#send() });
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", "Filter");
    this.replaceChildren(...this.selects.map(({ label }) => label), make("label", { htmlFor: "filter" }, "Only hands "), this.words);
  }

  /** Shows words; the lists show them if each has one word of its own. */
  draw(words) {
    this.words.value = words;
    const parts = new Set(words.split(" with ").map((part) => part.trim()));
    for (const { select } of this.selects) {
      select.value = [...select.options].map((option) => option.value).find((value) => value && parts.has(value)) ?? "";
    }
  }

  #select(name, words) {
    const select = make("select", { onchange: () => this.#choose() },
      make("option", { value: "" }, "any"), words.map((word) => make("option", { value: word }, word)));
    return { select, label: make("label", {}, `${name} `, select) };
  }

  #choose() {
    this.words.value = this.selects.map(({ select }) => select.value).filter(Boolean).join(" with ");
    this.#send();
  }

  #send() {
    this.dispatchEvent(new CustomEvent("filter", { detail: this.words.value.trim(), bubbles: true }));
  }
}

customElements.define("hand-filter", HandFilter);

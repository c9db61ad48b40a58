// <turn-clock>: how long the person has thought about this decision and in this session, and the bot last.

import { make } from "./element.js";

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

class TurnClock extends HTMLElement {
  #since = null; // when the turn began
  #spent = 0; // seconds of earlier turns
  #bot = null;

  connectedCallback() {
    this.role = "timer";
    this.ariaLive = "off";
    this.timer = setInterval(() => this.#show(), 250);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  /** The person is to act, or the hand is over. */
  begin(over) {
    this.#since = over ? null : performance.now();
    this.#show();
  }

  /** The person has acted. */
  stop() {
    if (this.#since !== null) this.#spent += (performance.now() - this.#since) / 1000;
    this.#since = null;
  }

  /** The bot has answered after so many milliseconds. */
  answered(milliseconds) {
    this.#bot = milliseconds;
  }

  #show() {
    const turn = this.#since === null ? 0 : (performance.now() - this.#since) / 1000;
    const bot = this.#bot === null ? "" : ` · bot ${(this.#bot / 1000).toFixed(2)} s`;
    const text = `turn ${clock(turn)} · you ${clock(this.#spent + turn)}${bot}`;
    if (this.textContent !== text) this.replaceChildren(make("span", {}, text));
  }
}

customElements.define("turn-clock", TurnClock);

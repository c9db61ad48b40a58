// <hand-review>: how a hand ended, what the bot thought, and what it would have done with your hand.

import { make, percent } from "./element.js";
import { cardRow } from "./playing-card.js";

const shares = (trace) => trace.shares.map(([name, share]) => `${name} ${percent(share)}`).join(", ") || trace.how;

class HandReview extends HTMLElement {
  #table = null;

  draw(table) {
    this.#table = table;
    const { result, review } = table;
    if (!result) {
      this.replaceChildren();
      return;
    }
    const won = result.chips > 0 ? `You win ${result.chips}` : result.chips < 0 ? `The bot wins ${-result.chips}` : "A tie";
    this.replaceChildren(
      make("p", { className: "outcome", role: "status" }, `${won}. The bot held ${result.bot}, you ${result.you}.`),
      make("h2", {}, "What the bot would do with your hand"), this.#list(review.you.map((trace) => this.#mine(trace))),
      make("h2", {}, "What the bot did"), this.#list(review.bot.map((trace) => this.#its(trace))));
  }

  /** Grades that say more than those of the table, once they are known. */
  addGrades({ hand, grades }) {
    const { result, review } = this.#table;
    if (!result || hand !== this.#table.hand || grades.every(({ ev_lost }) => ev_lost === null)) return;
    this.draw({ ...this.#table, review: { ...review, you: review.you.map((trace, at) => ({ ...trace, ...grades[at] })) } });
  }

  showHint(trace) {
    this.replaceChildren(make("p", { className: "outcome", role: "status" }, `Hint: ${shares(trace)}`));
  }

  #list(items) {
    return items.length ? make("ol", {}, items) : make("p", { className: "note" }, "There was nothing to decide.");
  }

  #place(trace) {
    return [cardRow(trace.cards), trace.board ? " on " : "", cardRow(trace.board)];
  }

  #mine(trace) {
    const often = trace.share === null ? "not an action of its own" : `it does that ${percent(trace.share)} of the time`;
    const lost = trace.ev_lost === null ? "" : `, ${trace.ev_lost.toFixed(2)} chips of EV lost`;
    return make("li", {}, ...this.#place(trace), ` you: ${trace.action} `, make("span", { className: `grade ${trace.word}` }, trace.word),
      ` ${often}${lost}. `, make("span", { className: "note" }, shares(trace)));
  }

  #its(trace) {
    const told = [shares(trace), ...trace.readings].join("; ");
    return make("li", {}, ...this.#place(trace), ` ${trace.action}. `, make("span", { className: "note" }, told));
  }
}

customElements.define("hand-review", HandReview);

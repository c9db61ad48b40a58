// <session-report>: the luck-adjusted result of a session, and how good the decisions were.

import { attempt, make, percent, signed } from "./element.js";
import { get } from "./server.js";

const WORDS = { best: "the bot's own choice", good: "in its mix", rare: "rare for the bot", never: "never by the bot", unknown: "not among its actions" };

class SessionReport extends HTMLElement {
  #session = "";

  connectedCallback() {
    this.body = make("div", { role: "status" });
    this.details = make("details", { ontoggle: () => this.details.open && this.#ask() },
      make("summary", {}, "Session report"), this.body);
    this.replaceChildren(this.details);
  }

  /** Closed whenever the table changes: a report is of the hands that were over when it was asked for. */
  draw({ session, hand }) {
    const place = `${session} ${hand}`;
    if (place === this.#session) return;
    this.#session = place;
    this.session = session;
    this.details.open = false;
  }

  async #ask() {
    this.body.replaceChildren(make("p", { className: "note" }, "Computing; the first time takes a while."));
    const report = await attempt(() => get("report", { session: this.session }));
    if (report) this.#show(report);
  }

  #show({ hands, aivat, known, grades }) {
    if (!hands) {
      this.body.replaceChildren(make("p", { className: "note" }, "No hand is over yet."));
      return;
    }
    const within = ({ mean, interval }) => signed(mean) + (interval === null ? "" : ` ± ${Math.round(interval).toLocaleString("en-US")}`);
    const luck = known ? "of the cards and of the bot's choices" : "of the cards";
    const lost = grades.ev_known ? ` ${grades.ev_lost.toFixed(1)} chips of EV were lost in the ${grades.ev_known} decisions of which it is known.` : "";
    const agreed = grades.agreement === null ? "" : `The bot does what you did ${percent(grades.agreement)} of the time.`;
    const rows = Object.entries(grades.counts).map(([word, count]) => make("tr", {},
      make("th", { scope: "row" }, make("span", { className: `grade ${word}` }, word)), make("td", { className: "number" }, String(count)), make("td", { className: "note" }, WORDS[word])));
    this.body.replaceChildren(
      make("p", {}, `Adjusted for the luck ${luck} (AIVAT): ${within(aivat.mb)} mb/hand, ${within(aivat.bb100)} bb/100 over ${hands} ${hands === 1 ? "hand" : "hands"}.`),
      make("table", {}, make("caption", {}, "Your decisions"), make("tbody", {}, rows)),
      make("p", {}, agreed + lost));
  }
}

customElements.define("session-report", SessionReport);

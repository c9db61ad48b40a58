// <hand-list>: the hands of a class one by one, with all that is known of each.

import { make, percent, within } from "./element.js";
import { cardRow, sign } from "./playing-card.js";

const COLUMNS = [
  ["reach", (hand) => (hand.weight ?? null) === null ? null : percent(hand.weight)],
  ["equity", (hand) => hand.equity === undefined || hand.equity === null ? null : percent(hand.equity)],
  ["EV", (hand) => (hand.ev ?? null) === null ? null : within({ mean: hand.ev, interval: hand.ev_interval })],
  ["bucket", (hand) => hand.buckets ? hand.buckets.join(" ") : null],
  ["visits", (hand) => (hand.visits ?? null) === null ? null : Math.round(hand.visits).toLocaleString("en-US")],
];

/** The class of a hand such as AhKh: AKs. */
export function classOf(hand) {
  const ranks = [hand[0], hand[2]].sort((one, two) => "AKQJT98765432".indexOf(one) - "AKQJT98765432".indexOf(two));
  if (ranks[0] === ranks[1]) return ranks.join("");
  return ranks.join("") + (hand[1] === hand[3] ? "s" : "o");
}

class HandList extends HTMLElement {
  draw(title, hands, actions) {
    const known = COLUMNS.filter(([, text]) => hands.some((hand) => text(hand) !== null));
    const heads = ["hand", ...actions.map((action) => action.label), ...known.map(([head]) => head)];
    const head = make("tr", {}, heads.map((text) => make("th", { scope: "col" }, text)));
    const rows = hands.map((hand) => this.#row(hand, actions, known));
    const few = hands.some((hand) => hand.few);
    this.replaceChildren(
      make("table", {}, make("caption", {}, title), make("thead", {}, head), make("tbody", {}, rows)),
      make("p", { className: "note" }, few ? "Dimmed: so few visits that the figures are closer to noise." : ""),
    );
  }

  #row(hand, actions, known) {
    const shares = actions.map((action, at) => this.#share(hand, at, action));
    const figures = known.map(([, text]) => make("td", {}, text(hand) ?? "–"));
    return make("tr", { className: hand.few ? "few" : "" }, make("th", { scope: "row" }, cardRow(hand.hand)), shares, figures);
  }

  #share(hand, at, action) {
    const cell = make("td", { className: "share" }, hand.shares ? percent(hand.shares[at]) : "–");
    if (hand.shares) {
      cell.style.backgroundImage = `linear-gradient(${action.color}, ${action.color})`;
      cell.style.backgroundSize = `${(100 * hand.shares[at]).toFixed(1)}% 4px`;
    }
    if (hand.evs && hand.evs[at] !== null) {
      cell.append(make("small", {}, within({ mean: hand.evs[at], interval: hand.ev_intervals?.[at] })));
    }
    const discard = /^discard/.test(action.label) && hand.discards?.[at - 1];
    if (discard) cell.append(make("small", {}, sign(discard)));
    return cell;
  }
}

customElements.define("hand-list", HandList);

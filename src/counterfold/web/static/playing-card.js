// A card, as a picture for the eye and words for the ear.

import { make } from "./element.js";

const SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
const RANKS = { T: "ten", J: "jack", Q: "queen", K: "king", A: "ace" };

export const split = (cards) => cards.match(/../g) ?? [];
export const name = (card) => `${RANKS[card[0]] ?? card[0]} of ${SUITS[card[1]]}`;
export const sign = (card) => card[0] + SIGNS[card[1]];

export function playingCard(card) {
  return make("span", { className: `card ${card[1]}`, role: "img", ariaLabel: name(card) }, sign(card));
}

export function faceDown() {
  return make("span", { className: "card down", role: "img", ariaLabel: "a card face down" }, "");
}

export const cardRow = (cards) => make("span", { className: "cards" }, split(cards).map(playingCard));

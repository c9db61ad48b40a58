// The page of one decision that stands alone: all of its data is in the file.

import { chips, make, percent } from "./static/element.js";
import { classOf } from "./static/hand-list.js";
import { cardRow } from "./static/playing-card.js";

function showDecision({ title, place, hands }) {
  const grid = make("strategy-grid");
  const totals = make("action-totals");
  const list = make("hand-list");
  const facts = [place.game, place.line || "first decision", `pot ${place.pot}`, `${place.actor} to act`];
  for (const [name, figures] of Object.entries(place.totals ?? {})) {
    facts.push(`${name} EV ${chips(figures.ev ?? 0)}, equity ${percent(figures.equity ?? 0)}`);
  }
  if (place.note) facts.push(place.note);
  document.querySelector("main").replaceChildren(
    make("h1", {}, title), make("p", { className: "facts" }, cardRow(place.board), facts.join(" · ")),
    make("section", { className: "one" }, make("div", {}, totals, grid), list));
  totals.draw(place.actions);
  grid.draw(place);
  const show = (name) => list.draw(name, hands.filter(({ hand }) => classOf(hand) === name), place.actions);
  grid.addEventListener("cell", (event) => show(event.detail));
}

showDecision(JSON.parse(document.getElementById("decision").textContent));

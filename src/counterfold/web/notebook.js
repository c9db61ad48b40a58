// A decision in a notebook's cell. What Python tells is in the model; where a person goes is its line.

import { chips, make, percent } from "./static/element.js";
import { classOf } from "./static/hand-list.js";
import { cardRow } from "./static/playing-card.js";

function render({ model, el }) {
  const elements = { ribbon: make("action-ribbon"), picker: make("card-picker"), totals: make("action-totals"), grid: make("strategy-grid"), list: make("hand-list") };
  const facts = make("p", { className: "facts" });
  const error = make("p", { className: "error", role: "status" });
  const decision = make("section", { className: "one" }, make("div", {}, elements.totals, elements.grid), elements.list);
  const page = make("div", {}, elements.ribbon, facts, error, elements.picker, decision);
  el.attachShadow({ mode: "open" }).append(make("style", {}, STYLE), page); // its styles are its own
  const draw = () => drawDecision(model.get("told"), elements, facts, decision);
  const go = (line) => {
    model.set("line", line);
    model.save_changes();
  };
  page.addEventListener("line", (event) => go(event.detail));
  page.addEventListener("cards", (event) => go(`${model.get("told").place.line} | ${event.detail}`));
  page.addEventListener("cell", (event) => listHands(model.get("told"), elements.list, event.detail));
  model.on("change:told", draw);
  model.on("change:error", () => { error.textContent = model.get("error"); });
  draw();
}

function drawDecision({ place, hands }, { ribbon, picker, totals, grid, list }, facts, decision) {
  ribbon.draw(place);
  const parts = [place.game, `pot ${place.pot}`];
  for (const [name, figures] of Object.entries(place.totals ?? {})) {
    parts.push(`${name} EV ${chips(figures.ev ?? 0)}, equity ${percent(figures.equity ?? 0)}`);
  }
  facts.replaceChildren(cardRow(place.board), parts.join(" · "));
  picker.hidden = place.end !== "deal";
  decision.hidden = place.end !== "decision";
  if (!picker.hidden) picker.draw({ deck: place.deck, dead: place.board, n: place.due });
  if (decision.hidden) return;
  totals.draw(place.actions);
  grid.hidden = !place.cells;
  list.replaceChildren();
  if (place.cells) grid.draw(place);
  else list.draw("All hands", hands, place.actions);
}

function listHands({ place, hands }, list, name) {
  list.draw(name, hands.filter(({ hand }) => classOf(hand) === name), place.actions);
}

// <infosets-page>: a small solved game as a table of information sets.

import { attempt, make, percent } from "../element.js";
import { get, link } from "../server.js";

class InfosetsPage extends HTMLElement {
  async open(query) {
    const given = { run: query.get("run") ?? "", player: query.get("player") ?? "", match: query.get("match") ?? "" };
    const found = await attempt(() => get("infosets", given));
    if (!found) return;
    document.title = `${given.run} · Counterfold`;
    this.replaceChildren(
      make("h1", {}, given.run),
      this.#form(given, found.players),
      make("p", { className: "note" }, `${found.game}: ${found.rows.length} of ${found.rows_in_all} information sets, those reached most often first`),
      this.#table(found.rows),
    );
  }

  #form(given, players) {
    const go = (changes) => { location.hash = link("infosets", { ...given, ...changes }); };
    const choices = ["", ...Array(players).keys()].map((player) => make("option", { value: player, selected: String(player) === given.player }, player === "" ? "all players" : `player ${player}`));
    return make("form", { onsubmit: (event) => event.preventDefault() },
      make("label", {}, "Player ", make("select", { onchange: (event) => go({ player: event.target.value }) }, choices)),
      make("label", {}, "Knows ", make("input", { type: "search", value: given.match, onchange: (event) => go({ match: event.target.value }) })));
  }

  #table(rows) {
    const names = [...new Set(rows.flatMap((row) => Object.keys(row.actions)))];
    const heads = ["player", "knows", "reached", ...names];
    return make("div", { className: "scroll" }, make("table", {},
      make("thead", {}, make("tr", {}, heads.map((head) => make("th", { scope: "col" }, head)))),
      make("tbody", {}, rows.map((row) => make("tr", {},
        make("td", {}, String(row.player)),
        make("th", { scope: "row" }, row.knows || "–"),
        make("td", { className: "number" }, percent(row.reached)),
        names.map((name) => make("td", { className: "number" }, name in row.actions ? percent(row.actions[name]) : "")))))));
  }
}

customElements.define("infosets-page", InfosetsPage);

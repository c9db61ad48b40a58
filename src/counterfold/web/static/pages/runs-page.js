// <runs-page>: every run of the folders that are served.

import { attempt, make } from "../element.js";
import { get, link } from "../server.js";

const KINDS = { train: "bot", spot: "spot", solve: "solved game" };

class RunsPage extends HTMLElement {
  async open() {
    const answers = await attempt(() => Promise.all([get("runs"), get("sessions")]));
    if (!answers) return;
    const [found, { sessions }] = answers;
    document.title = "Runs · Counterfold";
    this.replaceChildren(
      make("h1", {}, "Runs"),
      make("p", { className: "note" }, `In ${found.folders.join(", ")}`),
      found.runs.length ? this.#table(found.runs) : this.#nothing(),
      ...(sessions.length ? [make("h2", {}, "Your sessions"), this.#sessions(sessions)] : []),
    );
  }

  #sessions(sessions) {
    return make("ul", {}, sessions.map(({ session, run, hands, begun }) => make("li", {},
      make("a", { href: link("table", { session }) }, `${run}, hand ${hands + 1}`),
      make("span", { className: "note" }, ` begun ${new Date(1000 * begun).toLocaleString()}`))));
  }

  #nothing() {
    return make("p", {}, "There is no run here yet. Make one: ", make("code", {}, "counterfold train discard-quick --out runs/discard"));
  }

  #table(runs) {
    const heads = ["run", "kind", "game", "iterations", "time", ""];
    return make("div", { className: "scroll" }, make("table", { className: "runs" },
      make("thead", {}, make("tr", {}, heads.map((head) => make("th", { scope: "col", className: ["iterations", "time"].includes(head) ? "number" : "" }, head)))),
      make("tbody", {}, runs.map((run) => this.#row(run)))));
  }

  #row(run) {
    const page = run.kind === "solve" ? "infosets" : "explore";
    const links = [make("a", { href: link(page, { run: run.name }) }, "Explore")];
    if (run.kind === "train") links.push(make("a", { href: link("table", { run: run.name }) }, "Play"));
    return make("tr", {},
      make("th", { scope: "row" }, make("a", { href: link("run", { run: run.name }) }, run.name)),
      make("td", {}, KINDS[run.kind] ?? run.kind),
      make("td", {}, run.game),
      make("td", { className: "number" }, run.iterations.toLocaleString("en-US")),
      make("td", { className: "number" }, `${run.seconds.toFixed(run.seconds < 10 ? 1 : 0)} s`),
      make("td", { className: "links" }, links));
  }
}

customElements.define("runs-page", RunsPage);

// <action-totals>: how often each action is taken over all hands, as a bar and as a list.

import { make, percent } from "./element.js";

class ActionTotals extends HTMLElement {
  draw(actions) {
    const bar = make("div", { className: "bar", ariaHidden: "true" }, actions.map((action) => {
      const part = make("span");
      part.style.flexGrow = action.share;
      part.style.background = action.color;
      return part;
    }));
    const list = make("ul", { ariaLabel: "Actions over all hands" }, actions.map((action) => {
      const mark = make("span", { className: "mark", ariaHidden: "true" });
      mark.style.background = action.color;
      return make("li", {}, mark, action.label, make("b", {}, percent(action.share)));
    }));
    this.replaceChildren(bar, list);
  }
}

customElements.define("action-totals", ActionTotals);

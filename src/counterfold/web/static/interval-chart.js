// <interval-chart>: means with their intervals, one bar for each row, on one scale around zero.

import { draw, signed } from "./element.js";

const WIDTH = 600;
const ROW = 34;
const LEFT = 8;

class IntervalChart extends HTMLElement {
  /** `rows` are { label, mean, interval }; `unit` is that of both. */
  draw(rows, unit) {
    const most = Math.max(1, ...rows.map(({ mean, interval }) => Math.abs(mean) + (interval ?? 0)));
    const x = (value) => LEFT + ((WIDTH - 2 * LEFT) * (value + most)) / (2 * most);
    const told = rows.map(({ label, mean, interval }) => `${label} ${signed(mean)} ± ${signed(interval ?? 0).replace("+", "")}`);
    const picture = draw("svg", { viewBox: `0 0 ${WIDTH} ${ROW * rows.length + 20}`, role: "img" });
    picture.append(draw("title", {}, `${told.join("; ")} ${unit}`),
      draw("line", { x1: x(0), x2: x(0), y1: 0, y2: ROW * rows.length, class: "tick" }));
    rows.forEach(({ label, mean, interval }, at) => {
      const y = ROW * at + 24;
      const beyond = interval !== null && Math.abs(mean) > interval;
      picture.append(
        draw("text", { x: LEFT, y: y - 10 }, label),
        draw("line", { x1: x(mean - (interval ?? 0)), x2: x(mean + (interval ?? 0)), y1: y, y2: y, class: beyond ? "interval sure" : "interval" }),
        draw("circle", { cx: x(mean), cy: y, r: 4, class: beyond ? "mean sure" : "mean" }));
    });
    picture.append(draw("text", { x: x(0), y: ROW * rows.length + 14, "text-anchor": "middle" }, `0 ${unit}`));
    this.replaceChildren(picture);
  }
}

customElements.define("interval-chart", IntervalChart);

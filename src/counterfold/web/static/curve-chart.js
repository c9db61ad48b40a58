// <curve-chart>: one curve, with a logarithmic scale where it falls over magnitudes.

import { brief } from "./element.js";

const SPACE = "http://www.w3.org/2000/svg";
const WIDTH = 600;
const HEIGHT = 180;
const LEFT = 60;
const BOTTOM = 24;

function draw(tag, attributes, text = "") {
  const made = document.createElementNS(SPACE, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

class CurveChart extends HTMLElement {
  /** `points` are [x, y]; `unit` is that of y. */
  draw(points, title, unit) {
    const known = points.filter(([, y]) => y !== null && y > 0);
    const picture = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
    const last = known.at(-1);
    picture.append(draw("title", {}, last ? `${title}: ${brief(last[1])} ${unit} after ${last[0].toLocaleString("en-US")}` : title));
    if (known.length > 1) this.#plot(picture, known);
    this.replaceChildren(picture);
  }

  #plot(picture, points) {
    const ys = points.map(([, y]) => Math.log10(y));
    const low = Math.floor(Math.min(...ys) * 2) / 2;
    const high = Math.max(Math.ceil(Math.max(...ys) * 2) / 2, low + 0.5);
    const most = points.at(-1)[0];
    const x = (value) => LEFT + ((WIDTH - LEFT - 8) * value) / most;
    const y = (value) => 8 + ((HEIGHT - BOTTOM - 8) * (high - value)) / (high - low);
    for (let tick = low; tick <= high + 1e-9; tick += 0.5) {
      picture.append(
        draw("line", { x1: LEFT, x2: WIDTH - 8, y1: y(tick), y2: y(tick), class: "tick" }),
        draw("text", { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end" }, brief(10 ** tick)));
    }
    const path = points.map(([at], k) => `${x(at).toFixed(1)},${y(ys[k]).toFixed(1)}`).join(" ");
    picture.append(
      draw("polyline", { points: path, class: "curve" }),
      draw("text", { x: WIDTH - 8, y: HEIGHT - 4, "text-anchor": "end" }, most.toLocaleString("en-US")));
  }
}

customElements.define("curve-chart", CurveChart);

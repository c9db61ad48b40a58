// <curve-chart>: one curve by iterations, on a logarithmic scale if it goes over magnitudes. Points
// tell their figures when one points at them.

import { brief, draw } from "./element.js";

const WIDTH = 600;
const HEIGHT = 180;
const LEFT = 60;
const BOTTOM = 24;
const MAGNITUDES = 20; // from the smallest to the largest value
const MOST_MARKS = 300;

/** The places of ticks, and where a value stands between the first, 0, and the last, 1. */
function findScale(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (most > MAGNITUDES * least) {
    const low = Math.floor(Math.log10(least) * 2) / 2;
    const high = Math.max(Math.ceil(Math.log10(most) * 2) / 2, low + 0.5);
    const ticks = Array.from({ length: Math.round(2 * (high - low)) + 1 }, (_, k) => 10 ** (low + k / 2));
    return { ticks, place: (value) => (Math.log10(value) - low) / (high - low) };
  }
  const step = 10 ** Math.floor(Math.log10(most)) * (most / 10 ** Math.floor(Math.log10(most)) > 4 ? 2 : 0.5);
  const ticks = Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, k) => k * step);
  return { ticks, place: (value) => value / ticks.at(-1) };
}

class CurveChart extends HTMLElement {
  /** `points` are [x, y]; `unit` is that of y. */
  draw(points, title, unit) {
    const known = points.filter(([, y]) => y !== null && y > 0);
    const picture = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
    const tell = ([x, y]) => `${brief(y)} ${unit} after ${x.toLocaleString("en-US")} iterations`;
    picture.append(draw("title", {}, known.length ? `${title}: ${tell(known.at(-1))}` : title));
    if (known.length) this.#plot(picture, known, tell);
    this.replaceChildren(picture);
  }

  #plot(picture, points, tell) {
    const { ticks, place } = findScale(points.map(([, y]) => y));
    const most = points.at(-1)[0];
    const x = (value) => LEFT + ((WIDTH - LEFT - 8) * value) / most;
    const y = (value) => 8 + (HEIGHT - BOTTOM - 8) * (1 - place(value));
    for (const tick of ticks) {
      picture.append(
        draw("line", { x1: LEFT, x2: WIDTH - 8, y1: y(tick), y2: y(tick), class: "tick" }),
        draw("text", { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end" }, brief(tick)));
    }
    const path = points.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    picture.append(
      draw("polyline", { points: path, class: "curve" }),
      draw("text", { x: WIDTH - 8, y: HEIGHT - 4, "text-anchor": "end" }, `${most.toLocaleString("en-US")} iterations`));
    const every = Math.ceil(points.length / MOST_MARKS);
    for (const point of points.filter((_, k) => k % every === 0)) {
      const mark = draw("circle", { cx: x(point[0]).toFixed(1), cy: y(point[1]).toFixed(1), r: 5, class: points.length > 1 ? "point" : "point alone" });
      mark.append(draw("title", {}, tell(point)));
      picture.append(mark);
    }
  }
}

customElements.define("curve-chart", CurveChart);

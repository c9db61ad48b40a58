// <bucket-chart>: the buckets that hands fall into at a decision, as bars in the colors of its actions.

import { draw, make, percent } from "./element.js";

const [WIDTH, HEIGHT] = [600, 120];
const MOST_NAMED = 8;

/** Buckets with their hands; a hand whose discard is open counts once in each of its buckets. */
function gather(hands) {
  const found = new Map();
  for (const each of hands) {
    for (const number of each.buckets) {
      if (!found.has(number)) found.set(number, { number, weight: 0, shares: [], hands: [] });
      const bucket = found.get(number);
      const weight = (each.weight ?? 1) / each.buckets.length;
      bucket.weight += weight;
      bucket.hands.push(each.hand);
      each.shares?.forEach((share, at) => { bucket.shares[at] = (bucket.shares[at] ?? 0) + weight * share; });
    }
  }
  return [...found.values()].sort((one, two) => one.number - two.number);
}

class BucketChart extends HTMLElement {
  /** All `hands` of a decision, its `actions`, and how many buckets there are. */
  draw(hands, actions, inAll) {
    const buckets = gather(hands);
    const total = buckets.reduce((sum, { weight }) => sum + weight, 0) || 1;
    const most = Math.max(...buckets.map(({ weight }) => weight), 1e-12);
    const step = WIDTH / Math.max(buckets.length, 1);
    const facts = `${hands.length.toLocaleString("en-US")} hands in ${buckets.length} of ${inAll.toLocaleString("en-US")} buckets; each bar is as high as its hands are likely`;
    const picture = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": facts });
    buckets.forEach((bucket, at) => picture.append(this.#bar(bucket, at * step, step, most, total, actions)));
    this.replaceChildren(make("p", { className: "note" }, facts), picture);
  }

  #bar({ number, weight, shares, hands }, x, step, most, total, actions) {
    const bar = draw("g", {});
    const title = draw("title", {});
    const named = hands.slice(0, MOST_NAMED).join(" ") + (hands.length > MOST_NAMED ? " …" : "");
    const told = actions.map(({ label }, k) => `${label} ${percent((shares[k] ?? 0) / (weight || 1))}`);
    title.textContent = `bucket ${number}: ${percent(weight / total)} of hands (${named}); ${told.join(", ")}`;
    bar.append(title);
    let y = HEIGHT;
    actions.forEach(({ color }, k) => {
      const height = (HEIGHT * (shares[k] ?? 0)) / most;
      y -= height;
      bar.append(draw("rect", { x, y, width: Math.max(0.5, step - (step > 3 ? 1 : 0)), height, fill: color }));
    });
    return bar;
  }
}

customElements.define("bucket-chart", BucketChart);

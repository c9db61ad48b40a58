// Makes elements. Texts become text nodes, never markup.

export function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made && key !== "role") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** An element of a picture. */
export function draw(tag, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

/** Says something to everybody, screen readers included; an error stays until the next thing. */
export function say(text, isError = false) {
  const status = document.getElementById("status");
  status.textContent = text;
  status.classList.toggle("error", isError);
}

/** Runs `work`, and says what went wrong, or that it takes a while. */
export async function attempt(work) {
  say("");
  const patience = setTimeout(() => say("Working; the first time a run is opened takes a while …"), 1000);
  try {
    const result = await work();
    clearTimeout(patience);
    say("");
    return result;
  } catch (error) {
    clearTimeout(patience);
    say(error.message, true);
    return undefined;
  }
}

export const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.0995 ? 1 : 0)}%`;
export const brief = (number, digits = 3) => Number(number.toPrecision(digits)).toLocaleString("en-US", { maximumFractionDigits: 12 });
export const chips = (number) => brief(number, 4);
export const within = ({ mean, interval }) => chips(mean) + (interval ? ` ± ${brief(interval, 2)}` : "");

export const signed = (number) => (number > 0 ? "+" : "") + Math.round(number).toLocaleString("en-US");

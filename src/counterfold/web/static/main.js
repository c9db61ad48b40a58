// Shows the page that the address names: `#/explore?run=…&line=…` is the element <explore-page>.

import { keepToken } from "./server.js";
import { make } from "./element.js";

const PAGES = ["runs", "run", "explore", "infosets", "table", "spots", "train", "match"];
const load = (name) => import(`./pages/${name}-page.js`);

keepToken();
let shown = "";

async function show() {
  const address = location.hash;
  const [path, query = ""] = address.replace(/^#\//, "").split("?");
  const name = PAGES.includes(path) ? path : "runs";
  await load(name);
  if (address !== location.hash) return; // somebody was faster
  const main = document.getElementById("page");
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#/${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (name !== shown) main.replaceChildren(make(`${name}-page`));
  shown = name;
  await main.firstElementChild.open(new URLSearchParams(query));
}

addEventListener("hashchange", show);
await show();
PAGES.forEach(load); // the others, so that they are there when somebody goes to them

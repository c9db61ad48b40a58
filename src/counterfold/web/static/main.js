// Shows the page that the address names: `#/explore?run=…&line=…` is the element <explore-page>.

import { keepToken } from "./server.js";
import { make } from "./element.js";
import "./match-page.js";
import "./run-page.js";
import "./runs-page.js";
import "./spots-page.js";
import "./explore-page.js";
import "./infosets-page.js";
import "./table-page.js";
import "./train-page.js";

const PAGES = ["runs", "run", "explore", "infosets", "table", "spots", "train", "match"];

keepToken();
let shown = "";

function show() {
  const [path, query = ""] = location.hash.replace(/^#\//, "").split("?");
  const name = PAGES.includes(path) ? path : "runs";
  const main = document.getElementById("page");
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#/${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (name !== shown) main.replaceChildren(make(`${name}-page`));
  shown = name;
  main.firstElementChild.open(new URLSearchParams(query));
}

addEventListener("hashchange", show);
show();

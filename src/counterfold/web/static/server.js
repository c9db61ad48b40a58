// Asks the server, and says what went wrong in its words.

const KEPT = "counterfold-token";

/** Takes the token out of the address that was opened, so that it is not sent on with links. */
export function keepToken() {
  const found = /^#token=([\w-]+)$/.exec(location.hash);
  if (!found) return;
  sessionStorage.setItem(KEPT, found[1]);
  history.replaceState(null, "", "#/runs");
}

function headers() {
  const token = sessionStorage.getItem(KEPT);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

async function answer(response) {
  const content = await response.json();
  if (!response.ok) throw new Error(content.error);
  return content;
}

export async function get(what, given = {}) {
  const known = Object.entries(given).filter(([, value]) => value !== "" && value !== null);
  const query = new URLSearchParams(known).toString();
  return answer(await fetch(`/api/${what}${query && "?"}${query}`, { headers: headers() }));
}

export async function post(what, given = {}) {
  return answer(await fetch(`/api/${what}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers() },
    body: JSON.stringify(given),
  }));
}

/** The address of a page with what it shows. */
export function link(page, given) {
  const known = Object.entries(given).filter(([, value]) => value);
  return `#/${page}?${new URLSearchParams(known)}`;
}

/** Calls `tell` with each server-sent event, until the server ends them or `signal` aborts. */
export async function listen(what, given, tell, signal = null) {
  const response = await fetch(`/api/${what}?${new URLSearchParams(given)}`, { headers: headers(), signal });
  if (!response.ok) await answer(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const events = (text + part.value).split("\n\n");
    text = events.pop();
    for (const event of events) tell(JSON.parse(event.replace(/^data: /, "")));
  }
}

"""The page of `counterfold serve`: first page, steps of the explorer, many tables, bytes.

python benchmarks/web/bench_web.py BOT [--json FILE]

BOT is the folder of a trained no-limit bot. The server runs in a process of its own; steps are
asked over its socket, the first page is opened in a browser if chromium is installed.
"""

import argparse
import http.client
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlencode

import numpy as np

from counterfold.web.server import STATIC

N_STEPS, N_TABLES, N_ACTIONS = 200, 50, 10
PAUSE_SECONDS = 1.0  # of a person between two actions, who is quick


class Client:
    """One connection, as a tab has."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def ask(self, path, given, *, post=False):
        """The answer, and how long it took in milliseconds."""
        start = time.perf_counter()
        if post:
            headers = {"content-type": "application/json"}
            self.connection.request("POST", f"/api/{path}", json.dumps(given), headers)
        else:
            self.connection.request("GET", f"/api/{path}?{urlencode(given)}")
        answer = self.connection.getresponse()
        content = json.loads(answer.read())
        if answer.status != 200:
            raise RuntimeError(content["error"])
        return content, 1000 * (time.perf_counter() - start)


def walk(client, run, n_steps):
    """Milliseconds of `n_steps` steps along random lines, each with cards never seen before."""
    rng = np.random.default_rng(1)
    times, line = [], ""
    while len(times) < n_steps:
        place, milliseconds = client.ask("look", {"run": run, "line": line})
        times.append(milliseconds)
        if place["end"] == "decision":
            going_on = [a["line"] for a in place["actions"] if a["label"] != "fold"]
            line = str(rng.choice(going_on))
        elif place["end"] == "deal":
            deck, dead = (re.findall("..", place[key]) for key in ("deck", "board"))
            free = [card for card in deck if card not in dead]
            line = f"{place['line']} | {''.join(rng.choice(free, place['due'], replace=False))}"
        else:
            line = ""
    return times


def play(port, run, seed, times, pause=0.0):
    """Play at one table, checking and calling, with a `pause` in seconds before each action."""
    client = Client(port)
    table, _ = client.ask("sit", {"run": run, "seed": seed}, post=True)
    rng = np.random.default_rng(seed)
    for _ in range(N_ACTIONS):
        time.sleep(pause * rng.uniform(0.5, 1.5))
        given = {"session": table["session"], "hand": table["hand"]}
        path = "next" if table["over"] else "act"
        if not table["over"]:
            action = table["turn"]["choices"][min(1, len(table["turn"]["choices"]) - 1)]["action"]
            given |= {"step": table["step"], "action": action}
        table, milliseconds = client.ask(path, given, post=True)
        times.append(milliseconds)


def play_many(port, run):
    """Milliseconds of all actions at tables that play at once."""
    times = []
    threads = [
        threading.Thread(target=play, args=(port, run, seed, times, PAUSE_SECONDS))
        for seed in range(N_TABLES)
    ]
    for thread in threads:
        thread.start()
        time.sleep(0.02)  # nobody sits down at the same instant
    for thread in threads:
        thread.join()
    return times


# Notes when the first run can be explored, by the page's own clock: a driver's waiting and asking
# take 30 to 60 ms, which no person waits for.
NOTE_READY = """new MutationObserver(() => {
  const texts = [...document.querySelectorAll("a")].map((link) => link.textContent.trim());
  if (texts.includes("Explore")) window.readyAt ??= performance.now();
}).observe(document, { childList: true, subtree: true });"""


def open_page(port, repetitions=9):
    """Milliseconds until the list of runs can be used, in a new tab; None without a browser."""
    path = shutil.which("chromium")
    if path is None:
        return None
    from playwright.sync_api import sync_playwright

    times = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for _ in range(repetitions):
            context = browser.new_context()
            page = context.new_page()
            page.add_init_script(NOTE_READY)
            page.goto(f"http://127.0.0.1:{port}/", wait_until="commit")
            page.get_by_role("link", name="Explore").first.wait_for()
            times.append(page.evaluate("window.readyAt"))
            context.close()
    return float(np.median(times))


def percentiles(times):
    return {"median_ms": float(np.median(times)), "p95_ms": float(np.percentile(times, 95))}


def busy_cores(seconds=2.0):
    """How many cores others keep busy, who would slow down what is measured."""

    def read():
        with open("/proc/stat", encoding="ascii") as file:
            ticks = [int(word) for word in file.readline().split()[1:9]]
        return sum(ticks), ticks[3] + ticks[4]

    before, idle_before = read()
    time.sleep(seconds)
    after, idle_after = read()
    return os.cpu_count() * (1.0 - (idle_after - idle_before) / (after - before))


def measure(bot):
    busy = busy_cores()
    with tempfile.TemporaryDirectory() as sessions:
        command = [sys.executable, "-m", "counterfold", "serve", str(bot), "--port", "0"]
        server = subprocess.Popen(
            [*command, "--sessions", sessions], stderr=subprocess.PIPE, text=True
        )
        try:
            port = next(
                int(found[1])
                for line in server.stderr
                if (found := re.search(r"http://127\.0\.0\.1:(\d+)/", line))
            )
            run = bot.resolve().name
            walk(Client(port), run, 10)  # opens the bot
            play(port, run, 1, [])
            return {
                "machine": platform.processor() or platform.machine(),
                "cores": os.cpu_count(),
                "busy_cores": busy,
                "bot": run,
                "front_end_bytes": sum(path.stat().st_size for path in STATIC.iterdir()),
                "first_page_ms": open_page(port),
                "step": percentiles(walk(Client(port), run, N_STEPS)),
                "tables": {
                    "n": N_TABLES,
                    "pause_seconds": PAUSE_SECONDS,
                    **percentiles(play_many(port, run)),
                },
            }
        finally:
            server.terminate()
            server.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bot", type=Path)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    result = measure(given.bot)
    text = json.dumps(result, indent=2)
    print(text)
    if given.json:
        given.json.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""README and CONTRIBUTING list the rooms of the package in the order of the layers."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "counterfold"


def layers():
    """From the top, `cli`, to the bottom, `errors`."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = settings["tool"]["importlinter"]["contracts"][0]
    return [name.removeprefix("counterfold.") for name in contract["layers"]]


def rooms():
    """The folders of the package."""
    return {path.parent.name for path in PACKAGE.glob("*/__init__.py")}


def section(document, heading):
    text = (ROOT / document).read_text(encoding="utf-8")
    return text.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def test_contributing_draws_the_layers():
    drawing = section("CONTRIBUTING.md", "Where things go").split("```")[1]
    assert re.findall(r"^(\w+) {2}", drawing, re.MULTILINE) == layers()


def test_readme_lists_the_rooms_from_the_bottom_up():
    cells = re.findall(r"^\| (`.*?) \|", section("README.md", "How a bot is made"), re.MULTILINE)
    assert [name for cell in cells for name in re.findall(r"`(\w+)`", cell)] == layers()[::-1]


def test_the_picture_in_the_readme_has_every_room():
    picture = section("README.md", "How a bot is made").split("```")[1]
    assert rooms() - set(re.findall(r"\w+", picture)) == set()


def test_every_room_is_a_layer():
    modules = {path.stem for path in PACKAGE.glob("*.py") if not path.stem.startswith("__")}
    assert (rooms() | modules) - set(layers()) == set()

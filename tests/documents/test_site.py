"""The API reference of the site has every public name; its tools come with the group `docs`."""

import importlib.util
from pathlib import Path

import pytest

import counterfold

pytest.importorskip("griffe")
pytest.importorskip("mkdocs")

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def pages():
    path = ROOT / "docs" / "api_reference.py"
    spec = importlib.util.spec_from_file_location("api_reference", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.write_pages(module.load())


def test_every_name_of_the_package_is_described(pages):
    lines = pages["reference/api/index.md"].splitlines()
    assert {f"::: counterfold.{name}" for name in counterfold.__all__} <= set(lines)


def test_pages_of_rooms_say_that_they_are_not_the_api(pages):
    marked = {path for path, text in pages.items() if "may change from one version" in text}
    assert "The names listed here are the API" in pages["reference/api/index.md"]
    assert "reference/api/tree.md" in marked
    assert set(pages) - marked <= {"reference/api/index.md"}


def test_every_room_that_exports_has_a_page(pages):
    source = ROOT / "src" / "counterfold"
    rooms = {
        path.parent.relative_to(source)
        for path in source.rglob("__init__.py")
        if "__all__" in path.read_text(encoding="utf-8") and path.parent != source
    }
    names = {f"reference/api/{'-'.join(room.parts)}.md" for room in rooms}
    assert names <= set(pages)


def test_a_name_is_described_once(pages):
    text = "\n".join(pages.values())
    described = [line for line in text.splitlines() if line.startswith("::: ")]
    assert len(described) == len(set(described))
    assert "See [`counterfold.solve`][counterfold.solve]." in pages["reference/api/tree.md"]

"""Pages of the Python API: one for the package and one for each room, from `__all__`.

MkDocs runs this as a hook. The source is read, never imported, and nothing is listed by hand: a
name that enters an `__all__` enters the site. A name is described once, on the page of the package
if it is exported there.
"""

from pathlib import Path

import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
FOLDER = "reference/api"
INTERNAL = (
    "These names are for those who extend Counterfold. The API is what [`counterfold`](index.md) "
    "itself exports; these may change from one version to the next."
)
PLAIN_MODULES = (
    "discounting",
    "errors",
    "testing",
)  # no `__all__`: their public classes, functions


def public_names(package: griffe.Module) -> dict[str, list[str]]:
    """Dotted module → its public names, the package itself first."""
    modules = [package]
    for _, module in sorted(package.modules.items()):
        modules += [module, *(inner for inner in module.modules.values() if inner.is_init_module)]
    return {module.path: names for module in modules if (names := exports(module))}


def exports(module: griffe.Module) -> list[str]:
    """What `__all__` lists, or the classes and functions of a plain module, sorted."""
    names = {str(name) for name in module.exports or ()}
    if module.name in PLAIN_MODULES:
        own = (*module.classes.values(), *module.functions.values())
        names |= {found.name for found in own if found.is_public and not found.is_alias}
    return sorted(names, key=str.lower)


def definition(package: griffe.Module, path: str) -> str:
    """Where a name is defined: `counterfold.solve` → `counterfold.tree.solve_run.solve`."""
    found = package[path.removeprefix(f"{package.path}.")]
    return found.target_path if found.is_alias else found.path


def page_name(module: str) -> str:
    """`counterfold` → `index`, `counterfold.games.holdem` → `games-holdem`."""
    return "-".join(module.split(".")[1:]) or "index"


def write_pages(package: griffe.Module) -> dict[str, str]:
    """Path in the docs → Markdown of the page."""
    pages: dict[str, str] = {}
    described: dict[str, str] = {}  # definition → the name under which it is described
    for module, names in public_names(package).items():
        here = package[module.partition(".")[2]] if "." in module else package
        summary = here.docstring.value if here.docstring else ""
        parts = [f"# {module}", summary]
        if "." in module:
            parts.append(INTERNAL)
        for name in names:
            origin = definition(package, f"{module}.{name}")
            if origin in described:
                parts.append(f"## {name}\n\nSee [`{described[origin]}`][{described[origin]}].")
            else:
                described[origin] = f"{module}.{name}"
                parts.append(f"::: {module}.{name}")
        pages[f"{FOLDER}/{page_name(module)}.md"] = "\n\n".join(parts) + "\n"
    return pages


def load() -> griffe.Module:
    """The package as griffe reads it from `src`."""
    sources = [str(ROOT / "src")]
    package = griffe.load("counterfold", search_paths=sources, allow_inspection=False)
    assert isinstance(package, griffe.Module)
    return package


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the section to the navigation, after the reference."""
    pages = [{module: f"{FOLDER}/{page_name(module)}.md"} for module in public_names(load())]
    nav = config.nav or []
    titles = [next(iter(entry)) for entry in nav]
    nav.insert(titles.index("Reference") + 1, {"Python API": pages})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages, which exist in memory only."""
    for path, text in write_pages(load()).items():
        files.append(File.generated(config, path, content=text))
    return files

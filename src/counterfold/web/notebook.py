"""A strategy in a notebook: the line, the grid and the hands of the page, as a widget."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import CounterfoldError, StrategyError
from counterfold.spots.solved_spot import SolvedSpot
from counterfold.training.any_run import load_any_run
from counterfold.training.train_folder import TrainedRun
from counterfold.web.html_page import HERE, STATIC, join_modules, tell_decision

if TYPE_CHECKING:
    from anywidget import AnyWidget

_ELEMENTS = (
    "element",
    "playing-card",
    "action-ribbon",
    "card-picker",
    "action-totals",
    "strategy-grid",
    "hand-list",
)
# A notebook may load the module once for each widget, but an element has its name once and for all.
_ONCE = "customElements.get(name) ?? customElements.define(name, element)"


def widget(
    what: SolvedSpot | TrainedBot | str | Path, line: str = "", hands: str = "", exploit: str = ""
) -> "AnyWidget":
    """A spot or a trained bot in a notebook: the line, the grid and the hands, to click through.

    Parameters
    ----------
    what
        A solved spot, a trained bot, or the folder of either.
    line
        Where to begin, such as ``c k | AcKd7h |``. The widget's own `line` is where it is now, and
        may be set.
    hands
        Only these hands, such as ``top pair+ with flush draw``.
    exploit
        A position of a spot, ``oop`` or ``ip``, whose best response to show.
    """
    try:
        import traitlets
        from anywidget import AnyWidget
    except ImportError as error:
        raise StrategyError("a widget needs pip install 'counterfold[notebook]'") from error
    content = _open(what)
    first = tell_decision(content, line, hands, exploit)  # a wrong line is reported at once

    class DecisionWidget(AnyWidget):
        _esm = _write_module()
        line = traitlets.Unicode().tag(sync=True)
        told = traitlets.Dict().tag(sync=True)
        error = traitlets.Unicode().tag(sync=True)

        @traitlets.observe("line")
        def _follow(self, change: Any) -> None:
            try:
                self.told, self.error = tell_decision(content, self.line, hands, exploit), ""
            except CounterfoldError as error:
                self.error = str(error)

    return DecisionWidget(line=line, told=first)


def _open(what: SolvedSpot | TrainedBot | str | Path) -> TrainedBot | SolvedSpot:
    run = load_any_run(what) if isinstance(what, str | Path) else what
    content = TrainedBot(run) if isinstance(run, TrainedRun) else run
    if not isinstance(content, TrainedBot | SolvedSpot):
        raise StrategyError("a solved game has no grid of hands; print it with counterfold.show")
    return content


def _write_module() -> str:
    """The elements and what joins them, as one module with its style sheet."""
    style = (STATIC / "style.css").read_text(encoding="utf-8").replace(":root", ":host")
    paths = [*(STATIC / f"{name}.js" for name in _ELEMENTS), HERE / "notebook.js"]
    script = join_modules(paths).replace("customElements.define(", "defineOnce(")
    return (
        f"const STYLE = {json.dumps(style)};\n"
        f"const defineOnce = (name, element) => {_ONCE};\n"
        f"{script}\nexport default {{ render }};\n"
    )

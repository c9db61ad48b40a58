"""Bots for contest machines: a folder and a zip that need Python and NumPy only."""

from counterfold.contest.export.bot_figures import Figures, measure_bot
from counterfold.contest.export.bot_package import Package
from counterfold.contest.export.package import export_bot
from counterfold.contest.export.targets import TARGETS, Target

__all__ = ["TARGETS", "Figures", "Package", "Target", "export_bot", "measure_bot"]

"""Bots for contest machines: a folder and a zip that need Python and NumPy only."""

from counterfold.bots.export.measure import Figures, measure_bot
from counterfold.bots.export.package import Package, export_bot
from counterfold.bots.export.targets import TARGETS, Target

__all__ = ["TARGETS", "Figures", "Package", "Target", "export_bot", "measure_bot"]

"""Counterfold turns the rules of a poker variant into a near-equilibrium bot."""

"""Draws cards of many designs and fits the nets that find and name cards."""

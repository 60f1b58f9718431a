"""Printed mats and parts of games, at true size."""

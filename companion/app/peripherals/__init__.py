"""Devices at the table: throws of a dice tower become rolls, and lights show events."""

"""Devices at the table: what a dice tower told becomes a roll, and what happened is shown by lights."""

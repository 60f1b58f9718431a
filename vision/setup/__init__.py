"""Learns an empty table and known pieces, and guides through the steps of the set-up."""

"""Learns an empty table and known pieces, and leads through the steps of setting one up."""

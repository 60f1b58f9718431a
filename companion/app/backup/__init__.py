"""Backups: all data of a house in one file, which is made while games are played and checked completely before it is
restored.
"""

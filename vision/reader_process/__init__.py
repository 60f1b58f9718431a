"""Reads a table in a separate process, which is ended and restarted if it hangs or crashes, without effect on the
server.
"""

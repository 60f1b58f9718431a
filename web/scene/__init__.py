"""Pictures of positions as shapes: drawn by the page, written as SVG files, compared by tests.

A scene is a tree of SVG elements made of values. `svg` writes it as text with its own escaping; `tree` returns plain
lists that the page turns into elements one by one, so a browser never parses markup.
"""

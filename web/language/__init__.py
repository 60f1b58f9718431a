"""The languages of the page: the choice of the language for a browser, and the catalogs of texts."""

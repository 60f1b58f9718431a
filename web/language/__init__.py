"""The languages of the page: which one a browser is shown, and the catalogs of their texts."""

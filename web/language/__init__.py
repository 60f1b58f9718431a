"""The languages of the page: which one a browser is shown, and the catalogs of their texts."""

from web.language.catalog import CATALOGS, LANGUAGE_COOKIE, Catalog, chosen, speak

__all__ = ["CATALOGS", "LANGUAGE_COOKIE", "Catalog", "chosen", "speak"]

"""Changes pictures of real tables as if they showed other tables: with other cloths, lamps and cameras."""

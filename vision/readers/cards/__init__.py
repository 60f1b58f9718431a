"""Cards of the Spectrum deck on a table: where they lie, and what each of them is."""

"""Pictures of real tables as other tables would have shown them: other cloths, lamps and cameras."""

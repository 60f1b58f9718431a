"""The admission of browsers: tokens, PINs, cookies, phones and the log of requests."""

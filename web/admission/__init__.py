"""Who may use the page: tokens, PINs, cookies, phones and the log of requests."""

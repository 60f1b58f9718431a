"""Eyes in a process of their own: a hanging or crashed one is ended and restarted, without effect on others."""

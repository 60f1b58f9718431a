"""Whether what is handed out works where nothing of the project is: `python -m tests.release`."""

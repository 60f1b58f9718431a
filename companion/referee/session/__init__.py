"""One game in progress: its position and history, its clock and its dealer."""

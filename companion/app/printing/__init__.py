"""Play mats on paper, at true size."""

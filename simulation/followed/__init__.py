"""Games played on a table in millimeters and told as eyes with a memory tell them, without any picture.

Things are followed as `vision.memory.tracks` follows them, by where they stand, what has changed, and what hides what from a
camera aside. So a referee can be judged by thousands of turns an hour, through eyes that never err or that err as often
as one likes.
"""

"""Reading pyramids, in the order in which a picture goes through the modules.

`sheet` scales the picture and compares it with the empty table, and `unprinted` takes the print of a cloth away;
`cells` points at places; `closeup` names what is at each; `hypothesis` and `shape_lines` know the exact shapes of
guesses, `contours` and `weighing` compare guesses with the picture, and `looking` does all of that for one sheet;
`crowd` and `unexplained` explain close groups; `presence` drops doubles and ghosts; `bands`, `board_stacks` and `tones`
settle levels and colors; `sureness` makes confidences come true; `assignment` and `joint_assignment` name all pieces
together; `scene` holds the result of `reader`, and `zones` and `blind_zones` place it in a game's zones. `sampler` and
`forecast` learn and judge a table beforehand.
"""

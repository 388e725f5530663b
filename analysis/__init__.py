"""What the games' records mean: odds tables, balance sheets, exact answers, pictures, reports, the command line.

Three layers: frames (a batch or an exact answer to a pandas frame), figures (a frame to axes), report (composition).
No rule of a game is written here; what is said about one game stands in ``chapters/<game>``.
"""

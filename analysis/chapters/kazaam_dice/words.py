"""What people call the readings of ambiguous rules, the reconstructed parts and the ends of games."""

#: What people call a reading; the key stands beside it in the tables.
RULINGS = {
    ("placing", "picture"): "Placing a die only on its picture",
    ("placing", "any"): "Placing a die on any field",
    ("double_placing", "same"): "Placing a double like any other roll",
    ("double_placing", "any"): "Placing a double on any field",
    ("fire_water", "burns"): "Letting dice be tipped to their loss",
    ("fire_water", "no_suicide"): "Forbidding tips that lose the die",
    ("chain_ends", "on"): "Asking for dice on both ends of a chain",
    ("chain_ends", "beside"): "Letting a chain end beside its fields",
    ("taking", "any_turn"): "Letting every owner take chips",
    ("taking", "own_turn"): "Letting only the player on turn take chips",
    ("favourites", "apart"): "Keeping favourite chips apart from the targets",
    ("favourites", "on_target"): "Putting favourite chips on the targets",
    ("end_takes_chips", "true"): "Taking the last chips before the game ends",
    ("end_takes_chips", "false"): "Leaving the last chips on the board",
    ("connected_by_other", "3"): "Giving three points for being connected by another",
    ("connected_by_other", "5"): "Giving five points for being connected by another",
}
#: The same for what :func:`sims.kazaam_dice.changed.components` changes.
PARTS = {
    ("fire and water", "rights exchanged"): "Exchanging what fire and water let in",
    ("fire and water", "fire 135, water 246"): "Letting odd creatures into fire and even ones into water",
    ("fire and water", "fire 124, water 356"): "Letting 1, 2 and 4 into fire and the others into water",
    ("die", "mirror image"): "Mirroring the die",
    ("die", "other opposites"): "Putting other creatures opposite on the die",
    ("pictures", "dealt again (1)"): "Dealing the pictures anew",
    ("pictures", "dealt again (2)"): "Dealing the pictures anew a second way",
    ("pictures", "dealt again (3)"): "Dealing the pictures anew a third way",
    ("places", "elements inside, chips outside"): "Moving the elements inside and the chips outside",
}
READINGS = {**RULINGS, **PARTS}

ENDINGS = {
    "own": "the mover connects only their own alchemist",
    "several": "the mover connects their own alchemist and others",
    "other": "the mover connects only other alchemists",
    "last_die": "the last die but one is placed",
    "passes": "unfinished: nobody can move",
    "turns": "unfinished: too many turns",
}
#: Columns of a record that count the uses of doubles.
DOUBLES = {
    "double_place": "places a die",
    "double_tip": "tips a die",
    "double_ambrosius": "moves Ambrosius",
    "double_obstacle": "sets the obstacle",
}

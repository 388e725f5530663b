"""What people call the readings of Tacatuca's ambiguous rules."""

#: What people call a reading; the key stands beside it in the tables.
READINGS = {
    ("doubles_collect", "always"): "Letting every double collect",
    ("doubles_collect", "highest_only"): "Letting only the highest throw collect on a double",
    ("double_replaces_plain", "true"): "Letting a card's amount replace the difference",
    ("double_replaces_plain", "false"): "Adding a card's amount to the difference",
    ("shortage", "clockwise"): "Paying creditors in full, clockwise",
    ("shortage", "one_each"): "Paying creditors one pin each in turn",
    ("shortage", "proportional"): "Paying creditors in proportion",
}

"""The one exception that means "the user's input is wrong"."""


class InputError(ValueError):
    """Bad input from the user, told in one line.

    The message names what is wrong, where (file, key, value) and what is allowed. The command line prints it
    and exits with status 2; a library caller can catch it as a ``ValueError``.
    """

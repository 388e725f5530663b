"""Where the program starts: handlers of signals first, then the slow imports."""

import signal
import sys

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    # until the handlers stand, an interrupt ends the process without a word
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from analysis.process import guarded


def main() -> int:
    """Run ``oddsmith`` with the arguments of the process; returns the exit status."""
    return guarded(_run)


def _run() -> int:
    from analysis import cli

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())

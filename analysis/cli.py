"""The program ``oddsmith``: every command parses, then calls a plain function; data on stdout, progress on stderr.

Exit status: 0 done, 1 a stated limit or a known answer is not met, 2 wrong usage or input; 130, 143 and 129 after
an interrupt, a request to end and a closed terminal (:mod:`analysis.process`).
Only what a command needs is imported, and only when it runs, so that a warm answer takes well under two seconds.
"""

import logging
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from analysis.process import drop_output, guarded
from analysis.usage import Command, Program, count, real, whole
from sims import GAMES
from sims.engine.errors import InputError
from sims.engine.numbers import read_real, shown
from sims.engine.text import printable

if TYPE_CHECKING:
    from analysis.chapter import Study
    from analysis.tables import Table

# matplotlib warns of its own cache folder and its fonts, which are no reader's business; errors still show
logging.getLogger("matplotlib").setLevel(logging.ERROR)

app = typer.Typer(
    name="oddsmith",
    cls=Program,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def show_version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        from sims.engine.batch import toolkit_version

        tell(f"oddsmith {toolkit_version()}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=show_version)
    ] = False,
) -> None:
    """Exact odds, simulated games and balance reports for dice board games.

    Start with `oddsmith games`, then `oddsmith report`.
    """


GameName = Annotated[str, typer.Argument(metavar="GAME", help=f"One of: {', '.join(GAMES)}.")]
VariantName = Annotated[
    str,
    typer.Option(
        "--variant",
        "-v",
        metavar="NAME",
        help="A shipped variant, or the path of a .toml file with title, summary and a table [rules].",
    ),
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="Change one rule; may be repeated. `oddsmith games GAME` lists them."
    ),
]
Players = Annotated[int | None, typer.Option("--players", "-p", metavar="N", parser=whole, help="Number of players.")]
Lineup = Annotated[
    str,
    typer.Option("--lineup", "-l", metavar="A,B,..", help="Policies in seat order; one alone plays every seat."),
]
Games = Annotated[
    str | None,
    typer.Option(
        "--games",
        "-n",
        metavar="N",
        help="Games to play: 50000, 1e6, 2M. By default, `oddsmith play` chooses: about 20 seconds, at most a million. In "
        "other tables slow policies play fewer; their rows say how many.",
    ),
]
Seed = Annotated[
    int,
    typer.Option("--seed", "-s", metavar="S", parser=whole, help="Seed of the dice; the same seed, the same games."),
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads", metavar="T", parser=whole, help="Threads (all processors by default); never changes a result."
    ),
]
Seconds = Annotated[
    str | None,
    typer.Option(
        "--seconds",
        metavar="T",
        help="Seconds that a turn takes at your table, for lengths in minutes; by default a guess.",
    ),
]
Format = Annotated[str, typer.Option("--format", "-f", metavar="KIND", help="text, csv, json, markdown or latex.")]
TableName = Annotated[
    str | None,
    typer.Option(
        "--table", "-t", metavar="NAME", help="Only this table. CSV and Parquet hold one: the first, unless you choose."
    ),
]
TextOrJson = Annotated[str, typer.Option("--format", "-f", metavar="KIND", help="text or json.")]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help=".csv .json .md .tex .txt or .parquet; not stdout."),
]
SEED = 1
#: Below the help of every command that takes files.
FILES = (
    "Files are TOML. A variant file: `title`, `summary` and a table `[rules]` of `key = value`. What a board, the cards or a "
    "position hold, and what each rule takes: `oddsmith games GAME`; examples: README, and `sims/*/variants`, `boards`, "
    "`positions`. Paths count from the current folder; a board that a variant file names is looked for beside that file first."
)
#: Characters of an error line; a file may hold a text or a number of any length.
LONGEST_LINE = 1_000


def study(
    game: str,
    variant: str,
    changes: list[str] | None,
    players: int | None,
    lineup: str,
    games: str | None,
    seed: int,
    threads: int | None,
    default_games: int,
    keeps: bool = False,
    seconds: str | None = None,
) -> "Study":
    """Check what the user asked for and put it into one object; ``keeps``: whether the records of all games are kept."""
    import sims
    from analysis.chapter import Study
    from sims.engine.variant import from_text

    chosen = sims.game(game)
    rules = chosen.variant(variant)
    rules = rules.changed(**from_text(rules.rules, changes or []))
    seats = chosen.lineup(lineup, players)
    known = players or (len(seats) if "," in lineup else None)
    number = default_games if games is None else count(games)
    asked = Study(chosen, rules, seats, known, number, seed, threads, seconds=read_seconds(seconds))
    if keeps:
        asked.check_memory()
    return asked


def read_seconds(text: str | None) -> float | None:
    """Seconds that a turn takes; whether they are sensible is for the study to say."""
    found = None if text is None else read_real(text)
    if text is not None and found is None:
        raise InputError(f"seconds: {shown(text)} is not a number")
    return found


def watching(asked: "Study") -> Any:
    """Progress bars, and the study that reports to them: ``with watching(asked) as asked``."""
    from contextlib import contextmanager

    from analysis.watch import Bars
    from sims.engine.jit import is_warm

    cold = not is_warm(asked.game.folder)
    notice = f"compiling {asked.game.title} (once, some 10 to 60 seconds) ..." if cold else ""

    @contextmanager
    def manage() -> Any:
        try:
            with Bars(notice) as bars:
                yield replace(asked, watch=bars)
        except MemoryError:
            raise InputError(f"games: memory is too small for {asked.games:,}; try a tenth of them") from None

    return manage()


def which_game(variant: str, changes: list[str] | None) -> InputError:
    """What to say when rules are given and no game: the games that accept them."""
    what = " ".join([*([variant] if variant != "standard" else []), *(f"--set {change}" for change in changes or [])])
    accepting, reasons = [], dict[str, str]()
    for name in GAMES:
        try:
            study(name, variant, changes, None, "", None, SEED, None, default_games=1)
            accepting.append(name)
        except InputError as error:
            reasons[name] = str(error)
    if not accepting:
        if len(set(reasons.values())) == 1:
            # a file that is not there is not there for any game
            return InputError(reasons[name])
        told = [f"{name}: {reason}" for name, reason in reasons.items() if "no such rule" not in reason]
        why = f": {'; '.join(told)}" if told else ", for none has all of these rules"
        return InputError(f"game: name the game that {what} is meant for; none accepts it{why}")
    accepts = f"{' and '.join(accepting)} {'accepts' if len(accepting) == 1 else 'accept'} it"
    return InputError(f"game: name the game that {what} is meant for; {accepts}")


def check_format(kind: str, output: Path | None = None) -> None:
    """Refuse an unknown format or a file that cannot be written before any work starts."""
    from analysis.files import check_output
    from analysis.tables import ENDINGS, FORMATS

    if kind not in FORMATS:
        raise InputError(f"format: {kind!r} is unknown; allowed: {', '.join(FORMATS)}")
    if output:
        check_output(output, ENDINGS)


def which(names: Sequence[str], table: str | None, kind: str, output: Path | None) -> Sequence[str]:
    """Of these tables, those to deliver: the named one or all, but one for CSV and Parquet, which hold no more."""
    from analysis.tables import ENDINGS, SINGLE

    if not names and (table is not None or (ENDINGS[output.suffix] if output else kind) not in ("text", "json")):
        raise InputError("table: this answer has none; give neither --table nor a format other than text and json")
    if table is not None:
        if table not in names:
            raise InputError(f"table: {table!r} is unknown; allowed: {', '.join(names)}")
        return [table]
    if len(names) > 1 and (ENDINGS[output.suffix] if output else kind) in SINGLE:
        first, *others = names
        where = output.name if output else kind
        tell(f"{where} holds one table, here {first}; choose with --table: {', '.join(others)}", sys.stderr)
        return [first]
    return names


def deliver(
    tables: "list[Table]",
    kind: str,
    output: Path | None,
    extra: dict[str, Any] | None = None,
    table: str | None = None,
) -> None:
    """Tables (see :func:`which`) to stdout, or to a file whose ending names the format."""
    from analysis.screen import print_tables
    from analysis.tables import render, write_tables

    given = which([one.name for one in tables], table, kind, output)
    tables = [one for one in tables if one.name in given]
    if output:
        write_tables(output, tables, extra)
        tell(f"wrote {printable(str(output))}", sys.stderr)
    elif kind == "text":
        print_tables(tables, sys.stdout)
    else:
        sys.stdout.write(render(tables, kind, extra))


def tell(text: str = "", stream: TextIO | None = None) -> None:
    """Lines for people, on stdout unless told otherwise; what users called their files cannot steer a terminal."""
    (stream or sys.stdout).writelines(printable(line) + "\n" for line in text.split("\n"))


@app.command(cls=Command)
def games(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Only this game.")] = None,
    table: TableName = None,
    format: Format = "text",
) -> None:
    """Games, variants, rulings and policies, with one line each.

    Example: `oddsmith games tacatuca`
    """
    from analysis.catalogue import tables

    check_format(format)
    deliver(tables([game] if game else list(GAMES)), format, None, table=table)


@app.command(cls=Command, epilog=FILES)
def play(
    game: GameName,
    players: Players = None,
    lineup: Lineup = "",
    variant: VariantName = "standard",
    set: Changes = None,
    games: Games = None,
    target_error: Annotated[
        float | None,
        typer.Option(
            "--target-error", metavar="X", parser=real, help="Play until every win rate is known to within X (0.001)."
        ),
    ] = None,
    seed: Seed = SEED,
    threads: Threads = None,
    table: TableName = None,
    format: Format = "text",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Records, one row per game: .parquet or .csv.")
    ] = None,
    log: Annotated[
        Path | None, typer.Option("--log", metavar="FILE", help="Decisions, one row each: .parquet or .csv.")
    ] = None,
) -> None:
    """Play many games: who wins how often, how long it takes.

    Examples: `oddsmith play tacatuca --players 4 --games 1e6`, `oddsmith play tacatuca --target-error 0.001`
    """
    from analysis import playing
    from analysis.tables import json_text

    check_format(format)
    if games is not None and target_error is not None:
        raise InputError("games: give --games or --target-error, not both")
    asked = study(game, variant, set, players, lineup, games, seed, threads, default_games=playing.MOST)
    playing.check_files(asked, output, log)
    names = which(playing.TABLES, table, format, None)
    with watching(asked) as asked:
        outcome = playing.play(asked, target_error, output, fit=games is None)
        if output:
            tell(f"wrote {printable(str(output))}", sys.stderr)
        if log:
            playing.write_log(log, replace(asked, games=outcome.games))
    tables, content = playing.describe(outcome, target_error)
    if format == "json" and table is None:
        sys.stdout.write(json_text(content))
    else:
        deliver([one for one in tables if one.name in names], format, None)


@app.command(cls=Command, epilog=FILES)
def odds(
    game: GameName,
    table: Annotated[
        str | None, typer.Option("--table", "-t", metavar="NAME", help="Which table; without it the list of tables.")
    ] = None,
    players: Players = None,
    lineup: Lineup = "",
    variant: VariantName = "standard",
    set: Changes = None,
    games: Games = None,
    seed: Seed = SEED,
    threads: Threads = None,
    format: Format = "text",
    output: Output = None,
) -> None:
    """Odds tables, exact where they can be had. Without --table, lists the tables and the question each answers.

    Example: `oddsmith odds tacatuca --table throws`
    """
    from analysis.chapter import chapter
    from analysis.files import check_apart, files_of

    check_format(format, output)
    asked = study(game, variant, set, players, lineup, games, seed, threads, chapter(game).table_games)
    check_apart({"output": output}, files_of(asked.variant))
    if table is None:
        from analysis.catalogue import odds_tables

        deliver([odds_tables(game)], format, output)
        return
    found = chapter(game).table(table)
    with watching(asked) as asked:
        result = found.build(asked).cited(asked.provenance)
    deliver([result], format, output)


@app.command(cls=Command, epilog=FILES)
def balance(
    game: GameName,
    players: Players = None,
    lineup: Lineup = "",
    variant: VariantName = "standard",
    set: Changes = None,
    games: Games = None,
    seed: Seed = SEED,
    threads: Threads = None,
    seconds: Seconds = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            "--limit",
            metavar="METRIC=MAX",
            help="Exit 1 if the metric's value (not its interval) is above MAX; MIN..MAX for a range.",
        ),
    ] = None,
    table: TableName = None,
    format: Format = "text",
    output: Output = None,
) -> None:
    """The balance sheet: is it fair, how long, how tense, and which rules matter.

    Example: `oddsmith balance tacatuca --players 2 --limit seat_gap_2=0.01`
    """
    from analysis import limits
    from analysis.chapter import chapter
    from analysis.files import check_apart, files_of

    check_format(format, output)
    wanted = limits.parse(limit or [])
    told = (variant, set, players, lineup, games, seed, threads)
    asked = study(game, *told, chapter(game).table_games, keeps=True, seconds=seconds)
    check_apart({"output": output}, files_of(asked.variant))
    with watching(asked) as asked:
        sheet = chapter(game).balance(asked)
        limits.check(wanted, sheet.metrics)
        names = which(["metrics", *sheet.tables], table, format, output)
        verdicts = limits.judge(wanted, sheet.metrics)
        found = [limits.metrics_table(sheet.metrics) if name == "metrics" else sheet.tables[name] for name in names]
    tables = [one.cited(asked.provenance) for one in found if len(one.frame) or table]
    content = {"game": game, "seed": seed, "games": asked.games, "limits": [verdict.content for verdict in verdicts]}
    deliver(tables, format, output, content if format == "json" or output else None)
    for verdict in verdicts:
        tell(verdict.sentence, sys.stderr)
    if not all(verdict.met for verdict in verdicts):
        raise typer.Exit(1)


@app.command(cls=Command, epilog=FILES)
def solve(
    game: GameName,
    pins: Annotated[str | None, typer.Option("--pins", metavar="A,B,..", help="Pins by seat (Tacatuca).")] = None,
    position: Annotated[
        Path | None, typer.Option("--position", metavar="FILE", help="A position as a .toml file (the board games).")
    ] = None,
    variant: VariantName = "standard",
    set: Changes = None,
    table: TableName = None,
    format: Format = "text",
    output: Output = None,
) -> None:
    """Exact answers: no dice are rolled, every outcome is counted.

    JSON is the whole answer, the other formats its tables.

    Examples: `oddsmith solve tacatuca --pins 20,20`, `oddsmith solve tschakka-lakka --position turn.toml`
    """
    from analysis.chapter import chapter
    from analysis.files import check_apart, files_of
    from analysis.tables import json_text

    check_format(format, output)
    asked = study(game, variant, set, None, "", None, SEED, None, default_games=1)
    check_apart({"output": output}, [*files_of(asked.variant), *([position] if position else [])])
    takes = chapter(game).solve_takes
    given = {key: value for key, value in (("pins", pins), ("position", position)) if value is not None}
    for key in given:
        if key not in takes:
            raise InputError(f"{key}: {game} is not solved from --{key}; it takes --{' or --'.join(takes)}")
    with watching(asked) as asked:
        answer = chapter(game).solve(asked, **given)
    if format == "json" and not output and table is None:
        sys.stdout.write(json_text({**answer.content, "provenance": asked.provenance}))
        return
    names = which([one.name for one in answer.tables], table, format, output)
    if format == "text" and not output and table is None:
        for sentence in answer.sentences:
            tell(sentence)
        tell()
    deliver([one.cited(asked.provenance) for one in answer.tables if one.name in names], format, output)


@app.command(cls=Command, epilog=FILES)
def show(
    game: GameName,
    number: Annotated[
        int, typer.Option("--game", "-g", metavar="K", parser=whole, help="Which game of the seed, from 0.")
    ] = 0,
    players: Players = None,
    lineup: Lineup = "",
    variant: VariantName = "standard",
    set: Changes = None,
    seed: Seed = SEED,
    format: TextOrJson = "text",
) -> None:
    """One game, move by move; it is game K of any batch with the same seed, rules and lineup.

    Example: `oddsmith show tacatuca --players 3 --seed 7 --game 123456`
    """
    from analysis import playing
    from analysis.tables import json_text
    from sims.engine.dice import MAX_SEED

    if format not in ("text", "json"):
        raise InputError(f"format: {format!r} is not allowed here; allowed: text, json")
    if not 0 <= number < MAX_SEED:
        raise InputError(f"game: {number} is not allowed; a whole number from 0 to {MAX_SEED - 1}")
    asked = study(game, variant, set, players, lineup, None, seed, None, default_games=1)
    with watching(asked) as asked:
        told = playing.tell(asked, number)
    if format == "json":
        sys.stdout.write(json_text(told.content))
        return
    for line in told.lines:
        tell(line)


@app.command(cls=Command, epilog=FILES)
def report(
    games_: Annotated[list[str] | None, typer.Argument(metavar="[GAME]..", help="All games by default.")] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where the pages go.")] = Path(
        "reports"
    ),
    pictures: Annotated[bool, typer.Option("--pictures", help="Write every picture as PNG and SVG too.")] = False,
    variant: VariantName = "standard",
    set: Changes = None,
    games: Games = None,
    seed: Seed = SEED,
    threads: Threads = None,
    seconds: Seconds = None,
) -> None:
    """A page for each game with the answers, tables and pictures: one file that works offline and prints well.

    Its claims are written beside it as JSON.

    Example: `oddsmith report tacatuca -o reports`
    """
    from analysis.chapter import chapter
    from analysis.files import check_apart, check_file, check_folder, files_of
    from analysis.report import write_report

    if not games_ and (variant != "standard" or set):
        raise which_game(variant, set)
    names = list(dict.fromkeys(games_ or GAMES))
    check_folder(output)
    for name in names:
        told = (variant, set, None, "", games, seed, threads)
        asked = study(name, *told, default_games=1, keeps=True, seconds=seconds)
        for path in (output / f"{name}.html", output / f"{name}.json"):
            check_file(path)
            check_apart({"output": path}, files_of(asked.variant))
        if pictures:
            check_folder(output / f"{name}-pictures")
    for name in names:
        told = (variant, set, None, "", games, seed, threads)
        asked = study(name, *told, default_games=chapter(name).report_games, seconds=seconds)
        with watching(asked) as asked:
            path = write_report(asked, output, pictures)
        tell(f"wrote the report on {asked.game.title} to {printable(str(path))}")


@app.command(cls=Command)
def validate(
    games_: Annotated[list[str] | None, typer.Argument(metavar="[GAME]..", help="All games by default.")] = None,
    games: Games = None,
    seed: Seed = SEED,
    threads: Threads = None,
    format: Format = "text",
    output: Output = None,
) -> None:
    """Known answers: what must come out, what came out, and how many standard errors lie between.

    Example: `oddsmith validate tacatuca --games 1e6`
    """
    from analysis.catalogue import checks_table
    from analysis.chapter import chapter

    check_format(format, output)
    checks = []
    for name in dict.fromkeys(games_ or GAMES):
        asked = study(name, "standard", None, None, "", games, seed, threads, chapter(name).check_games)
        with watching(asked) as asked:
            checks += [(name, check) for check in chapter(name).checks(asked)]
    deliver([checks_table(checks, seed)], format, output)
    if not all(check.passed for _, check in checks):
        raise typer.Exit(1)


def main(arguments: list[str] | None = None) -> int:
    """Run one command; every user's mistake becomes one line on stderr and status 2."""
    try:
        status = app(arguments, standalone_mode=False)
        sys.stdout.flush()
    except (InputError, typer.TyperException) as error:
        return refuse(error.format_message() if isinstance(error, typer.TyperException) else str(error))
    except (BrokenPipeError, SystemExit):
        # the reader (head, less) left, which typer tells by SystemExit
        drop_output()
        return 0
    except OSError as error:
        drop_output()
        return refuse(f"{error.filename or 'output'}: {error.strerror or error}")
    return status if isinstance(status, int) else 0


def refuse(message: str) -> int:
    """Say in one line what is wrong; the status of wrong input."""
    line = printable(" ".join(message.split()))
    if len(line) > LONGEST_LINE:
        line = f"{line[: LONGEST_LINE // 2]} .. {line[-LONGEST_LINE // 2 :]}"
    if line:
        sys.stderr.write(f"oddsmith: {line}\n")
    return 2


if __name__ == "__main__":
    sys.exit(guarded(main))

"""The arrows of the layout: who may import whom, and that the documents name only what exists."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sims import GAMES

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted([*(ROOT / "sims").rglob("*.py"), *(ROOT / "analysis").rglob("*.py")])


def imports(path):
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def below(path, *folders):
    return path.is_relative_to(ROOT.joinpath(*folders))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_follow_the_arrows(path):
    names = imports(path)
    roots = {name.split(".")[0] for name in names}
    if below(path, "sims"):
        assert not roots & {"analysis", "pandas", "matplotlib", "scipy", "jinja2", "rich", "typer"}
    if below(path, "sims", "engine"):
        assert not any(name.startswith(f"sims.{package}") for name in names for package in GAMES.values())
    for package in GAMES.values():
        if below(path, "sims", package):
            assert not any(
                name.startswith(f"sims.{other}") for name in names for other in set(GAMES.values()) - {package}
            )
    assert "analysis.cli" not in names or path == ROOT / "analysis" / "__main__.py"


#: By these a module gets at another whose name stands nowhere.
HIDDEN = {"import_module", "__import__", "exec", "eval", "modules"}


def modules_of(path, root):
    """The modules that a file names, wherever in it: ``sims.engine.jit``, or ``sims.engine`` for a name of its ``__init__``."""
    package = ".".join(path.relative_to(root).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                # without "as" the name bound is that of the outermost package
                yield from (alias.name, alias.name if alias.asname else alias.name.split(".")[0])
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield inner if file_of(inner, root) else base
        elif getattr(node, "id", None) in HIDDEN or getattr(node, "attr", None) in HIDDEN:
            yield "numba"


def file_of(module, root):
    """The file of a module below ``root``, or None."""
    path = root.joinpath(*module.split("."))
    return next((found for found in (path.with_suffix(".py"), path / "__init__.py") if found.exists()), None)


def ways_to_compiled(path, root):
    """Each chain of imports, at the top or later, from a file to Numba or to the tables of a kernel."""
    found, seen, open_ends = [], {path}, [(path, [path.stem])]
    while open_ends:
        here, way = open_ends.pop()
        for module in sorted(set(modules_of(here, root))):
            inner = file_of(module, root)
            if module.split(".")[0] == "numba" or (inner and inner.stem == "tables"):
                found.append([*way, module])
            elif inner and inner not in seen:
                seen.add(inner)
                open_ends.append((inner, [*way, module]))
    return found


@pytest.mark.parametrize("package", GAMES.values())
def test_a_reference_reaches_no_compiled_module_by_any_way(package):
    path = ROOT / "sims" / package / "reference.py"
    assert ways_to_compiled(path, ROOT) == []
    assert ways_to_compiled(path.with_name("kernel.py"), ROOT)


@pytest.mark.parametrize(
    ("reference", "reaches"),
    [
        ("from sims.toy.rules import Rules\nfrom sims.toy import rules\nfrom . import rules", False),
        ("from sims.toy.kernel import play", True),
        ("def late():\n    from sims.toy import kernel", True),
        ("from .kernel import play", True),
        ("from . import kernel", True),
        ("from ..toy import kernel", True),
        ("from sims.toy.helper import ask", True),
        ("from sims.toy import GAME", True),
        ("from sims.toy import *", True),
        ("from sims import game", True),
        ("import sims.toy.rules\nsims.game('toy')", True),
        ("from sims.toy.tables import build_tables", True),
        ("import importlib\nimportlib.import_module('sims.toy.kernel')", True),
        ("import sys\nsys.modules['sims.toy.kernel']", True),
        ("import numba", True),
    ],
)
def test_a_compiled_module_is_found_behind_every_kind_of_import(tmp_path, reference, reaches):
    sources = {
        "sims/__init__.py": "from importlib import import_module\ndef game(name):\n    return import_module(name)",
        "sims/engine/jit.py": "import numba",
        "sims/toy/__init__.py": "from sims.toy.kernel import play\nGAME = play",
        "sims/toy/rules.py": "Rules = 1",
        "sims/toy/tables.py": "from sims.toy.rules import Rules",
        "sims/toy/kernel.py": "from sims.engine.jit import kernel",
        "sims/toy/helper.py": "def ask():\n    from sims.toy import kernel",
        "sims/toy/reference.py": reference,
    }
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert bool(ways_to_compiled(tmp_path / "sims" / "toy" / "reference.py", tmp_path)) is reaches


@pytest.mark.parametrize("package", GAMES.values())
def test_a_reference_is_imported_where_there_is_no_numba(package):
    # the package's own __init__ registers the kernel too, so the module is imported past it
    code = f"""
import sys, types
sys.modules["numba"] = None
package = types.ModuleType("sims.{package}")
package.__path__ = [{str(ROOT / "sims" / package)!r}]
sys.modules[package.__name__] = package
import sims.{package}.reference
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_documents_name_only_files_that_exist(document):
    text = (ROOT / document).read_text()
    named = re.findall(r"`((?:sims|analysis|tests|notebooks|reports|\.ci)/[\w./-]*)`", text)
    named += re.findall(r"\]\(((?!http)[\w./-]+)\)", text)
    assert named or document == "CHANGELOG.md"
    assert not [name for name in named if not (ROOT / name).exists()]


def test_every_game_has_the_same_inner_shape():
    for package in GAMES.values():
        for name in ("__init__", "rules", "fields", "tables", "policies", "kernel", "reference"):
            assert (ROOT / "sims" / package / f"{name}.py").exists(), f"{package} lacks {name}.py"
        assert (ROOT / "sims" / package / "variants" / "standard.toml").exists()
        assert (ROOT / "analysis" / "chapters" / package / "__init__.py").exists()

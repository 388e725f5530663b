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
    if path.name == "reference.py":
        assert "numba" not in roots
        assert not [name for name in names if re.search(r"\.(tables|kernel|shortage|jit|batch)(\.|$)", name)]
    assert "analysis.cli" not in names or path == ROOT / "analysis" / "__main__.py"


@pytest.mark.parametrize("package", GAMES.values())
def test_a_reference_reaches_no_compiled_module_by_any_way(package):
    # the package's own __init__ registers the kernel too, so the module is imported past it, where there is no Numba
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

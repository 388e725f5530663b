"""Every notebook runs from top to bottom."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)


@NOTEBOOKS
def test_the_text_tells_the_number_of_games_that_the_code_plays(path):
    cells = nbformat.read(path, as_version=4).cells
    text, code = ("\n".join(cell.source for cell in cells if cell.cell_type == kind) for kind in ("markdown", "code"))
    told = re.findall(r"([\d,]+|thousand|million) games", text)
    played = re.findall(r"\bgames=([\d_]+)", code)
    assert played
    assert [count.replace(",", "_") for count in told] == played


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@NOTEBOOKS
def test_notebook_runs(path):
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "commit notebooks without outputs"
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute()

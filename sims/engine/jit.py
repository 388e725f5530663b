"""The one decorator that compiles a kernel, and the cache that never goes stale.

Numba keys a cached kernel by the file that holds it. A kernel that calls a helper in another module would
therefore keep running the old helper after an edit there. Here the cache folder is keyed by a hash of every
source file that the kernel can see, the engine's and those beside it, so any edit there starts a fresh cache,
and an unchanged tree starts warm.
"""

import getpass
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.core import config as numba_config
from numba.extending import intrinsic
from platformdirs import user_cache_dir

from sims.engine.errors import InputError

ENGINE = Path(__file__).resolve().parent


def cache_home() -> Path:
    """Folder for everything the toolkit may forget: ``$ODDSMITH_CACHE`` or the user's cache folder.

    Where the user's own cannot be written, a folder below the system's temporary one serves: without a folder of
    ours Numba would keep kernels beside the sources, where no hash of them guards against stale ones.

    Raises
    ------
    InputError
        If ``$ODDSMITH_CACHE`` names a folder that cannot be made or written.
    """
    named = os.environ.get("ODDSMITH_CACHE", "")
    home = Path(named or user_cache_dir("oddsmith"))
    if not _writable(home):
        if named:
            raise InputError(f"ODDSMITH_CACHE: {named} cannot be written; name another folder or unset it")
        home = Path(tempfile.gettempdir()) / f"oddsmith-{getpass.getuser()}"
    return home


@cache
def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


@cache
def source_key(folder: Path) -> str:
    """Hash of the Numba version and of the sources of the engine and of ``folder``: 16 hex digits."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted({*ENGINE.glob("*.py"), *folder.glob("*.py")}):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def kernel_folder(folder: Path) -> Path:
    """Where the compiled kernels of the sources in ``folder`` lie; it does not exist before the first is compiled."""
    return cache_home() / "kernels" / f"{folder.name}-{source_key(folder)}"


@contextmanager
def _kernel_cache(function: Callable[..., Any]) -> Iterator[None]:
    """Point Numba at our folder while a kernel is declared; a user's own functions keep theirs."""
    folder = Path(function.__code__.co_filename).resolve().parent
    settings: Any = numba_config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(kernel_folder(folder))
    try:
        yield
    finally:
        settings.CACHE_DIR = before


def kernel(function: Callable[..., Any]) -> Any:
    """Compile ``function``: releases the GIL, cached on disk, plain IEEE arithmetic."""
    with _kernel_cache(function):
        return numba.njit(nogil=True, cache=True)(function)


def helper(function: Callable[..., Any]) -> Any:
    """Compile a small function that is pasted into the kernels that call it."""
    with _kernel_cache(function):
        return numba.njit(nogil=True, cache=True, inline="always")(function)


@intrinsic
def mulhi(_context: Any, _a: Any, _b: Any) -> Any:
    """High 64 bits of the 128-bit product of two uint64 (one machine instruction)."""

    def build(_ctx: Any, builder: Any, _signature: Any, args: Any) -> Any:
        from llvmlite import ir

        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), build

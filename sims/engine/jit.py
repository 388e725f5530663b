"""The one decorator that compiles a kernel, and the cache that never goes stale.

Numba keys a cached kernel by the file that holds it. A kernel that calls a helper in another module would
therefore keep running the old helper after an edit there. Here the cache folder is keyed by a hash of every
source file that the kernel can see, the engine's and those beside it, so any edit there starts a fresh cache,
and an unchanged tree starts warm. Numba's own cache also fails for ever on a damaged file, and mixes up two programs
that start at once; ours keeps each kernel in one file of :mod:`sims.engine.store`, and whatever cannot be loaded is
compiled again.
"""

import hashlib
import pickle
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.extending import intrinsic

from sims.engine import store

ENGINE = Path(__file__).resolve().parent


@cache
def source_key(folder: Path) -> str:
    """Hash of the versions of Python and Numba and of the sources of the engine and of ``folder``: 16 hex digits."""
    digest = hashlib.sha256(f"{sys.implementation.cache_tag} {numba.__version__}".encode())
    for path in sorted({*ENGINE.glob("*.py"), *folder.glob("*.py")}):
        # an editor's lock is a link to nowhere with such a name
        if path.is_file():
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def kernel_folder(folder: Path) -> Path | None:
    """Where the compiled kernels of the sources in ``folder`` lie, if they are kept at all."""
    home = store.home()
    return home / f"kernels-{folder.name}-{source_key(folder)}" if home else None


def is_warm(folder: Path) -> bool:
    """Whether kernels of the sources in ``folder`` were compiled and kept before."""
    kept = kernel_folder(folder)
    return kept is not None and any(kept.glob("*"))


class KernelCache:
    """The compiled forms of one function, by signature: what Numba's dispatcher asks of its cache.

    Parameters
    ----------
    function : callable
        One without a source file (typed at a prompt), or one made inside another function and holding on to its
        variables, is not kept: no hash of sources guards those.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        code = function.__code__
        self._guarded = function.__closure__ is None
        self._source = Path(code.co_filename).resolve()
        # Windows forbids some of the characters of '<lambda>' and '<locals>'
        self._name = re.sub(r"[^\w.]", "", f"{self._source.stem}.{function.__qualname__}") + f"-{code.co_firstlineno}"

    @property
    def cache_path(self) -> Path | None:
        """The file, found when it is asked for, so that a folder which cannot be used fails no import."""
        folder = kernel_folder(self._source.parent) if self._guarded and self._source.is_file() else None
        return folder / self._name if folder else None

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled form for a signature, or None."""
        target.refresh()
        kept = self._kept().get((signature, target.codegen().magic_tuple()))
        try:
            return CompileResult._rebuild(target, *pickle.loads(kept)) if kept else None
        except Exception:
            # a pickle names classes by module, and a script's are elsewhere when it is imported
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a compiled form, unless it holds addresses of this process."""
        path = self.cache_path
        if path is None or compiled.library.has_dynamic_globals:
            return
        kept = self._kept() | {(signature, compiled.codegen.magic_tuple()): dumps(compiled._reduce())}
        store.write(path, dumps(kept))

    def flush(self) -> None:
        """Forget all compiled forms."""
        path = self.cache_path
        if path is not None:
            store.write(path, dumps({}))

    def _kept(self) -> dict[Any, bytes]:
        """All that is kept: pickled compiled forms by signature and processor."""
        path = self.cache_path
        content = store.read(path) if path else None
        try:
            return dict(pickle.loads(content)) if content else {}
        except Exception:
            return {}


def kernel(function: Callable[..., Any]) -> Any:
    """Compile ``function``: releases the GIL, cached on disk, plain IEEE arithmetic."""
    return _cached(numba.njit(nogil=True)(function), function)


def helper(function: Callable[..., Any]) -> Any:
    """Compile a small function that is pasted into the kernels that call it."""
    return _cached(numba.njit(nogil=True, inline="always")(function), function)


def _cached(compiled: Any, function: Callable[..., Any]) -> Any:
    compiled._cache = KernelCache(function)
    return compiled


@intrinsic
def mulhi(_context: Any, _a: Any, _b: Any) -> Any:
    """High 64 bits of the 128-bit product of two uint64 (one machine instruction)."""

    def build(_ctx: Any, builder: Any, _signature: Any, args: Any) -> Any:
        from llvmlite import ir

        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), build

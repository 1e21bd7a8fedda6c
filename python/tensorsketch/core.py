"""The core of Tensor Sketch in WebAssembly, run by wasmtime. It has the same bits as Go, the page and Node.

An instance has memory of its own, so each estimator and each thread has one. packaging/host.md and wasm/host*.go say
what the functions of the core do. An array goes to the core as a copy, and so do results.
"""

import contextlib
import ctypes
import hashlib
import json
import os
import pathlib
import re
import secrets
import tempfile
import threading
from typing import Any, Iterator, Optional

import numpy as np

try:
    import wasmtime
except ImportError:  # Pyodide has none
    wasmtime = None

__all__ = ["Core", "CoreError", "available", "NEEDS_WASMTIME"]

NEEDS_WASMTIME = "needs wasmtime, which is not installed: run `pip install wasmtime` (there is none for Pyodide)"
MEMORY = 2**32  # bytes that an instance may have: all that 32-bit addresses reach
MEMORY_STATUS = 6

_modules: dict = {}
_lock = threading.Lock()


class CoreError(ValueError):
    """A call that the core refused.

    Attributes
    ----------
    argument : str
        Name of the argument in the core's words, or ``""``.
    row : int
        Row that it is about, or -1.
    """

    def __init__(self, message: str, argument: str = "", row: int = -1):
        super().__init__(message)
        self.argument, self.row = argument, row

    def __reduce__(self):
        return type(self), (str(self), self.argument, self.row)


def available() -> bool:
    """Whether wasmtime is there, so that the core can run."""
    return wasmtime is not None


def core_file(name: str = "tensorsketch.host.wasm") -> pathlib.Path:
    """A file of WebAssembly: in the wheel beside this one, in a clone where ``./build.sh wheel`` leaves it."""
    here = pathlib.Path(__file__).resolve().parent
    for file in (here / name, here.parents[1] / "dist/host" / name, here.parents[1] / "bin/host" / name):
        if file.exists():
            return file
    raise FileNotFoundError(f"{name} is missing: install the wheel, or run ./build.sh wheel in a clone")


def cache_folder() -> Optional[pathlib.Path]:
    """The folder of this user for compiled cores, or None if there is no safe one.

    A compiled core is machine code: it is read from a folder that belongs to this user, and that nobody else can write
    to. ``TENSORSKETCH_CACHE`` names another folder; empty, nothing is kept.
    """
    named = os.environ.get("TENSORSKETCH_CACHE")
    if named == "":
        return None
    try:
        if named:
            folder = pathlib.Path(named)
        elif os.name == "nt":
            folder = pathlib.Path(os.environ["LOCALAPPDATA"]) / "tensorsketch"
        else:
            folder = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "tensorsketch"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        about = folder.stat()
    except (OSError, KeyError, RuntimeError):
        return None
    if hasattr(os, "getuid") and (about.st_uid != os.getuid() or about.st_mode & 0o022):
        return None
    return folder


def compiled(name: str = "tensorsketch.host.wasm") -> "tuple[Any, Any]":
    """The engine and a compiled module of this process. wasmtime compiles one for seconds, once for a user."""
    with _lock:
        if name not in _modules:
            engine = _modules["engine"] = _modules.get("engine") or wasmtime.Engine()
            binary = core_file(name).read_bytes()
            folder = cache_folder()
            kept = None
            if folder is not None:
                key = hashlib.sha256(binary + wasmtime.__file__.encode())  # wasmtime itself refuses another version's
                kept = folder / (key.hexdigest()[:32] + ".cwasm")
            _modules[name] = engine, _compiled(engine, binary, kept)
        return _modules[name]


def _compiled(engine: Any, binary: bytes, kept: Optional[pathlib.Path]) -> Any:
    if kept is not None and kept.exists():
        text = kept.read_bytes()
        if hashlib.sha256(text[32:]).digest() == text[:32]:
            try:
                return wasmtime.Module.deserialize(engine, text[32:])
            except wasmtime.WasmtimeError:  # of another build of wasmtime
                pass
    module = wasmtime.Module(engine, binary)
    if kept is not None:
        with contextlib.suppress(OSError):
            text = bytes(module.serialize())
            handle, name = tempfile.mkstemp(dir=kept.parent)
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(text).digest() + text)
            os.replace(name, kept)
    return module


class Core:
    """An instance of the core. Its calls must not overlap."""

    def __init__(self) -> None:
        if wasmtime is None:
            raise ImportError(f"the core {NEEDS_WASMTIME}")
        engine, module = compiled()
        self._store = wasmtime.Store(engine)
        self._exports = dict(_instance(self._store, module).exports(self._store).items())
        self._memory = self._exports["memory"]
        self._calls: dict = {}
        self._scratch: dict = {}
        self.check(self.call("ts_budget", float(MEMORY)))

    def call(self, name: str, *arguments: Any) -> int:
        """Calls an export with numbers, and returns its result."""
        try:
            if name not in self._calls:
                self._calls[name] = _caller(self._store, self._exports[name])
            return self._calls[name](*arguments)
        except wasmtime.Trap as e:
            raise _stopped(e) from None

    def check(self, status: int) -> None:
        """Raises the error of a call that returned its status."""
        if status:
            self.fail()

    def handle(self, name: str, *arguments: Any) -> int:
        """Calls an export that returns a handle, and raises its error for 0."""
        handle = self.call(name, *arguments)
        if not handle:
            self.fail()
        return handle

    def fail(self) -> None:
        """Raises the error of the last call."""
        status = self.call("ts_error_status")
        message = self.take(self.handle("tensorsketch_last_error")).decode()
        with self.buffer(256) as at:
            argument = bytes(self.view(at, self.call("ts_error_argument", at, 256), np.uint8)).decode()
        if status == MEMORY_STATUS:  # the core knows a limit that programs in JavaScript set
            raise MemoryError(message.replace("maxMemory of", "the core's memory of").replace("raise maxMemory, ", ""))
        if message.startswith("rows must"):  # the rest has rows as a word
            message, argument = "X" + message[len("rows"):], "X"
        message, argument = re.sub(rf"\b{re.escape(argument)}\b", pythonic(argument), message), pythonic(argument)
        raise CoreError(message, argument, self.call("ts_error_row"))

    def view(self, address: int, n: int, dtype: Any) -> np.ndarray:
        """The numbers at an address, until the next call."""
        size = int(n) * np.dtype(dtype).itemsize
        start = ctypes.addressof(self._memory.data_ptr(self._store).contents) + (address & 0xFFFFFFFF)
        return np.frombuffer((ctypes.c_char * size).from_address(start), dtype) if size else np.empty(0, dtype)

    def keep(self, array: np.ndarray) -> int:
        """Copies an array into a new buffer, and returns its address."""
        address = self._alloc(array.nbytes)
        self.view(address, array.size, array.dtype)[:] = array.reshape(-1)
        return address

    def _alloc(self, size: int) -> int:
        if size > 2**32 - 2**16:
            raise MemoryError(f"{size} bytes do not fit into the core's 4 GiB of memory: give fewer rows at a time")
        return self.handle("ts_alloc", _signed(size)) & 0xFFFFFFFF

    def free(self, address: int) -> None:
        self.check(self.call("ts_free", _signed(address)))

    @contextlib.contextmanager
    def buffer(self, size: int) -> Iterator[int]:
        """A buffer of so many bytes, which is freed at the end."""
        address = self._alloc(size)
        try:
            yield address
        finally:
            self.free(address)

    @contextlib.contextmanager
    def buffers(self, *arrays: Optional[np.ndarray]) -> "Iterator[list[int]]":
        """Buffers with copies of arrays, 0 for None, which are freed at the end."""
        made: "list[int]" = []
        try:
            for array in arrays:
                made.append(0 if array is None else self.keep(array))
            yield [_signed(address) for address in made]
        finally:
            for address in made:
                if address:
                    self.free(address)

    def scratch(self, place: int, size: int) -> int:
        """The address of a buffer of so many bytes that stays for the next call with this place."""
        address, room = self._scratch.get(place, (0, -1))
        if room < size:
            if address:
                self.free(self._scratch.pop(place)[0])
            address = self._alloc(size)
            self._scratch[place] = address, size
        return address

    def put(self, *arrays: Optional[np.ndarray]) -> "list[int]":
        """Copies of arrays, 0 for None, which stay until the next put."""
        made = []
        for place, array in enumerate(arrays):
            if array is None:
                made.append(0)
                continue
            address = self.scratch(place, array.nbytes)
            self.view(address, array.size, array.dtype)[:] = array.reshape(-1)
            made.append(_signed(address))
        return made

    @contextlib.contextmanager
    def text(self, content: bytes) -> Iterator[int]:
        """A buffer of the other kind, of a text."""
        handle = self.handle("clickhouse_create_buffer", len(content))
        try:
            start, size = self.view(handle, 2, np.uint32)
            self.view(int(start), int(size), np.uint8)[:] = np.frombuffer(content, np.uint8)
            yield handle
        finally:
            self.call("clickhouse_destroy_buffer", handle)

    def options(self, **options: Any) -> "contextlib.AbstractContextManager[int]":
        """The text of options as JSON, without those that are None."""
        given = {name: value for name, value in options.items() if value is not None}
        return self.text(json.dumps(given, allow_nan=False, default=np.ndarray.tolist).encode())

    def take(self, handle: int) -> bytes:
        """The content of a buffer that a call returned, which is freed."""
        start, size = self.view(handle, 2, np.uint32)
        content = self.view(int(start), int(size), np.uint8).tobytes()
        self.call("clickhouse_destroy_buffer", handle)
        return content

    def step(self, name: str, handle: int) -> None:
        """Calls an export that works in steps until it is done."""
        with self.buffer(8) as out:
            done = 0.0
            while done < 2:
                self.check(self.call(name, handle, _signed(out)))
                done = float(self.view(out, 1, np.float64)[0])

    def secret(self) -> "contextlib.AbstractContextManager[int]":
        """32 bytes for the noise of a release, from the system's secure source."""
        return self.text(secrets.token_bytes(32))


def _stopped(trap: Any) -> MemoryError:
    return MemoryError("the core stopped, most likely because it had too little memory, of which it may have 4 GiB and "
                       "no more than the system gives: give fewer rows at a time (partial_fit), or lower n_components. "
                       f"wasmtime said: {str(trap).strip().splitlines()[-1].strip()}")


def _instance(store: Any, module: Any) -> Any:
    try:
        return wasmtime.Instance(store, module, [])
    except wasmtime.Trap as e:
        raise _stopped(e) from None
    except wasmtime.WasmtimeError as e:
        if "allocate memory" not in str(e):
            raise
        raise MemoryError("an instance of the core reserves 4 GiB of addresses, of which it uses what it needs, and "
                          "the system did not give them: raise the limit of addresses of this process (ulimit -v), or of "
                          "Spark's workers by leaving out spark.executor.pyspark.memory") from e


def pythonic(name: str) -> str:
    """The name of a parameter as Python writes it: n_components for nComponents."""
    return re.sub(r"(?<=[a-z])[A-Z]", lambda capital: "_" + capital[0].lower(), name)


def _caller(store: Any, function: Any) -> Any:
    """Calls an export as wasmtime.Func does, which asks for the function's type at each call: that takes as long as ten
    rows. The types are i32 and f64, and there is one result or none."""
    from wasmtime import _ffi as ffi
    from wasmtime._func import enter_wasm

    about = function.type(store)
    kinds, results = [str(kind) for kind in about.params], [str(kind) for kind in about.results]
    room = (ffi.wasmtime_val_raw_t * max(1, len(kinds)))()

    def call(*arguments: Any) -> Any:
        if len(arguments) != len(kinds):
            raise TypeError(f"the export takes {len(kinds)} arguments, got {len(arguments)}")
        for place, kind, value in zip(room, kinds, arguments):
            setattr(place, kind, value)
        with enter_wasm(store) as trap:
            error = ffi.wasmtime_func_call_unchecked(store._context(), ctypes.byref(function._func), room, len(room),
                                                     trap)
            if error:
                raise wasmtime.WasmtimeError._from_ptr(error)
        return getattr(room[0], results[0]) if results else None

    return call


def _signed(address: int) -> int:
    """An address as a signed number of 32 bits, which wasmtime takes."""
    return address - 2**32 if address >= 2**31 else address

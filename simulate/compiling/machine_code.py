"""From functions of a text to machine code of this processor, and from that to what Python calls."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from simulate.compiling.lowering import lowered
from tdrc_theory.cli.cache_folder import source_hash

CPU_VARIABLE = "TDRC_CPU"
"""Names the processor, as LLVM does, for which code is generated; this machine's if it is not set."""
_SYMBOL = "kernel"
_ARRAYS = {"float[:]": (np.float64, 1), "float[:, :]": (np.float64, 2), "int[:]": (np.int64, 1)}
_NUMBERS: dict[str, Any] = {"float": ctypes.c_double, "int": ctypes.c_int64}


def versions() -> str:
    """Return what decides, with a text, every bit of its machine code: these sources, llvmlite and the processor."""
    return f"{source_hash(Path(__file__).parent)[:16]}, llvmlite {llvmlite.__version__}, {' '.join(_processor())}"


def machine_code(text: str, name: str, types: Sequence[str]) -> bytes:
    """Return the object file of one function; see `lowered`."""
    machine, module = _machine(), llvm.parse_assembly(lowered(text, name, types, _SYMBOL))
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = True
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    return bytes(machine.emit_object(module))


def loaded(code: bytes, types: Sequence[str]) -> Callable[..., float]:
    """Return the function of what `machine_code` returned; it runs without Python's lock, and returns a float.

    Raises:
        TypeError: the function is called with an array of another type, or one that is not contiguous.
    """
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    parts: list[Any] = []
    for of in types:
        parts += [ctypes.c_void_p, *[ctypes.c_int64] * _ARRAYS[of][1]] if of in _ARRAYS else [_NUMBERS[of]]
    function = ctypes.CFUNCTYPE(None, *parts, ctypes.c_void_p)(engine.get_function_address(_SYMBOL))

    def call(*arguments: Any) -> float:
        result = ctypes.c_double()
        operands: list[Any] = []
        for of, argument in zip(types, arguments, strict=True):
            if of in _ARRAYS:
                if (argument.dtype, argument.ndim) != _ARRAYS[of] or not argument.flags.c_contiguous:
                    raise TypeError(f"{of} is expected, not {argument.dtype} with strides {argument.strides}")
                operands += [argument.__array_interface__["data"][0], *argument.shape]
            else:
                operands.append(argument)
        function(*operands, ctypes.addressof(result))
        return result.value

    call.engine = engine  # type: ignore[attr-defined]  # the code lives as long as it does
    return call


def _processor() -> tuple[str, str]:
    """Return the processor's name and features, as LLVM writes them."""
    if named := os.environ.get(CPU_VARIABLE):
        return named, ""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def _machine() -> Any:
    """Return a generator of code for the processor; an engine that is given one disposes of it."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    cpu, features = _processor()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(cpu, features, opt=3, reloc="default", codemodel="jitdefault", jit=True)

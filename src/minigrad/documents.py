"""JSON documents as text: one row per line, so that a person can read and compare them."""

from __future__ import annotations

from json import dumps
from typing import Any

__all__ = ["rows_json"]


def rows_json(document: dict[str, Any]) -> str:
    """A document with one line per entry of its lists and dicts; strict JSON, always the same bytes."""
    parts = [f"{dumps(key)}: {_block(value)}" for key, value in document.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _block(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n  " + ",\n  ".join(map(_line, value)) + "\n]"
    if isinstance(value, dict) and value:
        return "{\n  " + ",\n  ".join(f"{dumps(key)}: {_line(row)}" for key, row in value.items()) + "\n}"
    return _line(value)


def _line(value: Any) -> str:
    return dumps(value, ensure_ascii=True, allow_nan=False)

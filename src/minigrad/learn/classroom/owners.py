"""Owners of what was handed in: which learner a file or a folder is named after, and which file counts.

A code says whose a sheet is.  But a code can be copied, and then names tell the two apart: what is named
after the learner counts before what is named after nobody, and that before what is named after somebody
else.  A learner chooses the names of files, but not the name of the folder that a course platform puts them
into, so the folder is believed first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from re import sub
from typing import Generic, Protocol, TypeVar
from unicodedata import normalize

from .roster import slug_of

__all__ = ["Claims", "folder_owner", "named_after", "sort_claims"]


class _Named(Protocol):
    """A file, by its name without an ending and the name of its learner's folder."""

    @property
    def stem(self) -> str: ...

    @property
    def folder(self) -> str: ...


N = TypeVar("N", bound=_Named)


@dataclass(frozen=True, slots=True)
class Claims(Generic[N]):
    """Files with the code of one learner, by whose name they have."""

    own: tuple[N, ...]  # named after the learner
    unnamed: tuple[N, ...]  # named after nobody
    foreign: tuple[N, ...]  # named after somebody else

    @property
    def counting(self) -> tuple[N, ...]:
        """Those that one of counts."""
        return self.own or self.unnamed or self.foreign


def sort_claims(slug: str, files: Sequence[N], names: Mapping[str, str]) -> Claims[N]:
    """The files that hold the code of the learner with this slug, told apart by their names.

    `names` are the names of all learners, by their slugs.
    """
    after = [(one, named_after(one, names)) for one in files]
    return Claims(
        tuple(one for one, owner in after if owner == slug),
        tuple(one for one, owner in after if not owner),
        tuple(one for one, owner in after if owner not in ("", slug)),
    )


def named_after(one: _Named, names: Mapping[str, str]) -> str:
    """The learner a file is named after: ada-lovelace, Ada Lovelace (1), ada-lovelace-engine; "" if none.

    A folder of a learner's own outranks the name of the file.  Only where several learners have one name,
    and so folders of one name, does the file tell which of them it is.  Of the names that a file may begin
    with, ana and ana-maria, the longest counts.
    """
    if owner := folder_owner(one.folder, names):
        namesake = one.stem in names and names[one.stem] == names[owner]
        return one.stem if namesake else owner
    if one.stem in names:
        return one.stem
    plain = slug_of(
        sub(r" *\(\d+\)$", "", one.stem[:200])
    )  # Ana (2) is a copy of Ana, and not the second Ana
    named = (slug for slug in names if plain == slug or plain.startswith(f"{slug}-"))
    return max(named, key=len, default="")


def folder_owner(name: str, names: Mapping[str, str]) -> str:
    """The learner whose folder this is: Ada Lovelace, ada-lovelace, Ada Lovelace_77_file; "" if nobody's.

    The whole name counts before the part up to an underscore, and letters as they were written before plain
    ones: Ada and ada, or Jose and José, are two learners.  Where it could still be several, it is nobody's.
    """
    text = normalize("NFC", name[:200])
    ends = [len(text), *(at for at in range(len(text) - 1, 0, -1) if text[at] == "_")]
    for part in (text[:end] for end in ends):
        slug = slug_of(part)
        found = (
            [own for own, learner in names.items() if learner == part]
            or [own for own in names if own == part]
            or [own for own, learner in names.items() if slug and slug_of(learner) == slug]
        )
        if len({names[own] for own in found}) == 1:
            return min(found, key=len)
        if found:
            return ""
    return ""

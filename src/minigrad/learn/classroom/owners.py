"""Owners of what was handed in: which learner a file or a folder is named after, and which file counts.

A code says whose a sheet is.  But a code can be copied, and then the name of the file tells the two apart:
what is named after the learner counts before what is named after nobody, and that before what is called
after somebody else.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from .roster import slug_of

__all__ = ["Claims", "folder_owner", "named_after", "sort_claims"]


class _Named(Protocol):
    """A file, by its name without an ending and the name of its folder."""

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


def sort_claims(slug: str, files: Sequence[N], slugs: Collection[str]) -> Claims[N]:
    """The files that hold the code of the learner with this slug, told apart by their names."""
    after = [(one, named_after(one, slugs)) for one in files]
    return Claims(
        tuple(one for one, names in after if slug in names),
        tuple(one for one, names in after if not names),
        tuple(one for one, names in after if names and slug not in names),
    )


def named_after(one: _Named, slugs: Collection[str]) -> frozenset[str]:
    """The learners that a file may be named after: ada-lovelace, Ada Lovelace (1), ada-lovelace-engine.

    A folder of a learner's own says it too, unless the file itself has exactly somebody's name.
    """
    if one.stem in slugs:
        return frozenset((one.stem,))
    if owner := folder_owner(one.folder, slugs):
        return frozenset((owner,))
    plain = slug_of(one.stem[:200])
    return frozenset(slug for slug in slugs if plain == slug or plain.startswith(f"{slug}-"))


def folder_owner(name: str, slugs: Collection[str]) -> str:
    """The learner whose folder this is: Ada Lovelace, ada-lovelace, Ada Lovelace_77_file; "" if nobody's."""
    slug = slug_of(name[:200].partition("_")[0])
    return slug if slug in slugs else ""

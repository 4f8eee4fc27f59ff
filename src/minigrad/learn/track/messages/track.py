"""Sentences of the track: its command, its answers, its file."""

ROWS: dict[str, tuple[str, str]] = {
    "track.hole": ("your lines", "sus líneas"),
}

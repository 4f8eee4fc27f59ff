"""Text for people and files: translation, numerals, layout, escapes, excerpts, strict JSON."""

ROWS: dict[str, tuple[str, str]] = {}

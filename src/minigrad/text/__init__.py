"""Text for people: sentences in two languages, numbers, the layout of results, files."""

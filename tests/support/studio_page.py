"""The studio's page as a person uses it, and graphs to type."""

import json
from base64 import urlsafe_b64encode

SECOND = "a = 2; b = 3; c = 4\nab = a*b\ne = ab + c\nf = a - c\nL = e*f"
FIRST = "a = 2\nb = -3\nc = a*b\nd = a + b\ne = c + d"
RIGHT = {"a": "4", "b": "-4", "c": "-12"}


def link_to(state):
    """The fragment of a link that holds a state."""
    return "#" + urlsafe_b64encode(json.dumps(state).encode()).decode().rstrip("=")


ELSEWHERE = link_to({"text": "z = 5\ny = z*z*z"})  # so that what a test writes is news


class Desk:
    """The page as a person uses it."""

    def __init__(self, visit, server, fragment=ELSEWHERE, **options):
        self.visit, self.server = visit, server
        self.page = visit(server.link + fragment, **options)
        self.page.wait_for_selector(".player")

    def write(self, text):
        self.page.fill("#statements", text)

    def gradients(self):
        """The gradients beside the sliders."""
        rows = self.page.locator(".input").all()
        return {row.locator(".name").inner_text(): row.locator(".grad").inner_text() for row in rows}

    def told(self, column=0):
        """The gradients in the player's table; the second column is that of the broken pass."""
        rows = self.page.locator("table.gradients tbody tr").all()
        return {
            row.locator("th").inner_text(): row.locator("td.grad").nth(column).inner_text() for row in rows
        }

    def broken(self):
        """The gradients in the lab's table."""
        cells = self.page.locator("[data-got]").all()
        return tuple(cell.inner_text() for cell in cells)

    def until(self, condition, *arguments):
        self.page.wait_for_function(condition, arg=arguments[0] if arguments else None, timeout=15_000)

    def until_gradients(self, expected):
        self.until(
            "expected => [...document.querySelectorAll('.input')].map(row => `${row.querySelector('.name')"
            ".textContent}=${row.querySelector('.grad')?.textContent}`).join() === expected",
            ",".join(f"{name}={grad}" for name, grad in expected.items()),
        )

    def turn_to(self, *keys):
        """Move along the timeline with these keys."""
        self.page.focus("#player .time")
        for key in keys:
            self.page.keyboard.press(key)

    def pick(self, slug):
        self.page.click("#tab-break")
        self.page.fill(".picker input", slug)
        self.page.click(f'[data-fault="{slug}"]')
        self.page.wait_for_selector("[data-got]")

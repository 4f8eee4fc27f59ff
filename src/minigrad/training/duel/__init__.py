"""The duel: the same training run with a right and with a broken backward pass, side by side.

duel(["overwrite"], on="moons").text()
duel(on="moons").to_html()          # the whole catalogue, ranked by how long each fault hides
"""

from .bouts import Bout, Duel, duel
from .detection import Band, band_of, noticed

__all__ = ["Band", "Bout", "Duel", "band_of", "duel", "noticed"]

"""The public names of minigrad.learn, each written once."""

from .course import unit as unit
from .notebook_api import check as check
from .notebook_api import command as command
from .notebook_api import exercise as exercise
from .notebook_api import picture as picture
from .notebook_api import question as question
from .notebook_api import reveal as reveal

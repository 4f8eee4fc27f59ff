"""The public names of minigrad.training, each written once."""

from . import duel as duel
from .run import Run as Run
from .run import StepRecord as StepRecord
from .settings import TASKS as TASKS
from .settings import Settings as Settings
from .settings import defaults as defaults
from .tasks import task_of as task_of

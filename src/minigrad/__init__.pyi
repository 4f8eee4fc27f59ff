"""The public names of minigrad, each written once; text/lazy_names.py imports them at their first use."""

from . import cli as cli
from . import compiler as compiler
from . import doctor as doctor
from . import drawing as drawing
from . import errors as errors
from . import explanation as explanation
from . import faults as faults
from . import functional as functional
from . import functions as functions
from . import graph as graph
from . import language as language
from . import learn as learn
from . import nn as nn
from . import ops as ops
from . import player as player
from . import scalar as scalar
from . import studio as studio
from . import text as text
from . import training as training
from . import values as values
from . import verify as verify
from .compiler import compile as compile  # noqa: A004 what it does to a function
from .explanation import explain as explain
from .functional import grad as grad
from .functional import gradcheck as gradcheck
from .functional import hessian as hessian
from .functional import jacobian as jacobian
from .functional import jvp as jvp
from .functional import value_and_grad as value_and_grad
from .functional import vjp as vjp
from .graph.graph import Graph as Graph
from .graph.trace import trace as trace
from .graph.variable_names import name as name
from .graph.variable_names import naming as naming
from .language import parse as parse
from .scalar import ENGINE as ENGINE
from .scalar import Value as Value
from .scalar import backward as backward
from .values.no_grad import no_grad as no_grad
from .values.take import take as take

__version__: str

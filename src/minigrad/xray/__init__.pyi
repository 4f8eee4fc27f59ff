"""The public names of minigrad.xray, each written once."""

from .examination import assert_healthy as assert_healthy
from .examination import xray as xray
from .loop_record import record as record
from .report import XrayReport as XrayReport
from .trainer_callbacks import lightning_callback as lightning_callback
from .trainer_callbacks import transformers_callback as transformers_callback

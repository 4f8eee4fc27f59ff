"""Findings: what the evidence of a program shows, one module per group of families.

A row of FINDINGS is a function that takes the evidence and yields entries, one of LOOP_FINDINGS takes the
record of a loop; one row adds a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from . import (
    backward_rules,
    cuts,
    finiteness,
    leaks,
    loops,
    losses,
    parameters,
    stop_gradients,
    zeros,
)

if TYPE_CHECKING:
    from ..loop_record import LoopRecord
    from ..report import XrayEntry
    from ..subject import XrayEvidence

__all__ = ["FINDINGS", "LOOP_FINDINGS"]

FINDINGS: tuple[Callable[[XrayEvidence], Iterator[XrayEntry]], ...] = (
    cuts.cut_values,
    cuts.values_for_python,
    zeros.blocked_values,
    zeros.zero_factors,
    zeros.cancelled_values,
    zeros.single_classes,
    zeros.samples_without_gradient,
    stop_gradients.discarded_results,
    stop_gradients.trained_targets,
    stop_gradients.trained_baselines,
    stop_gradients.same_modules,
    losses.broadcast_losses,
    losses.wrong_inputs,
    losses.padded_labels,
    finiteness.first_not_finite,
    finiteness.lost_updates,
    parameters.unregistered_parameters,
    parameters.lost_parameters,
    parameters.optimizer_without_effect,
    parameters.frozen_by_name,
    backward_rules.wrong_functions,
    backward_rules.numbers_written_twice,
    backward_rules.random_backward,
    leaks.mixed_samples,
    leaks.normalised_samples,
    leaks.visible_labels,
    leaks.copied_labels,
)
LOOP_FINDINGS: tuple[Callable[[LoopRecord], Iterator[XrayEntry]], ...] = (
    loops.gradients_left,
    loops.second_walks,
    loops.evaluation_mode,
    loops.accumulated_means,
    loops.misplaced_clips,
    loops.misplaced_zeros,
)

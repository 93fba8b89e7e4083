"""Labelled strings for training, made of records: rendered through CSL styles, with controlled noise."""

from ibidem.csl.style import find_styles
from ibidem.synthesis.noise import PRESETS, Noise, noise_of
from ibidem.synthesis.synthesiser import Plan, keep_bibliographies, sample_records, synthesise
from ibidem.synthesis.templates import read_weights
from ibidem.synthesis.training import synthesise_source

__all__ = [
    "PRESETS",
    "Noise",
    "Plan",
    "find_styles",
    "keep_bibliographies",
    "noise_of",
    "read_weights",
    "sample_records",
    "synthesise",
    "synthesise_source",
]

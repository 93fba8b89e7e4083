"""Records made labelled strings: rendered through CSL styles, with controlled noise, for training."""

from ibidem.records.csl.styles import chosen
from ibidem.records.synthesis.noise import PRESETS, Noise, noise_of
from ibidem.records.synthesis.synthesiser import Plan, drawn, synthesise, usable

__all__ = ["PRESETS", "Noise", "Plan", "chosen", "drawn", "noise_of", "synthesise", "usable"]

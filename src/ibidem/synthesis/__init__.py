"""Records made labelled strings: rendered through CSL styles, with controlled noise, for training."""

from ibidem.csl.styles import chosen
from ibidem.synthesis.noise import PRESETS, Noise, noise_of
from ibidem.synthesis.synthesiser import Plan, drawn, synthesise, usable

__all__ = ["PRESETS", "Noise", "Plan", "chosen", "drawn", "noise_of", "synthesise", "usable"]

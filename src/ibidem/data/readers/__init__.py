"""Readers of formats that several datasets share; those of one dataset are in `ibidem.data.sets`."""

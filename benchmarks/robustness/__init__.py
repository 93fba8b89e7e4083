"""Hostile strings, damaged files, killed runs and adversarial lengths: `python -m benchmarks torture-…`.

Everything is drawn from a seed and bounded in time. The environment has the options:

    IBIDEM_TORTURE_SEED       the seed (default 1)
    IBIDEM_TORTURE_MINUTES    minutes for each part (default 60)
    IBIDEM_TORTURE_JOBS       processes (default: one for each core)
    IBIDEM_TORTURE_CASES      cases of each kind in place of the usual number; `FIRST-LAST` replays those
    IBIDEM_TORTURE_ONLY       only these readers, commands or families, with commas between them
    IBIDEM_TORTURE_FAILURES   the folder for failing cases (default: a temporary one)
"""

"""The commands `ibidem data list`, `verify` and `where`."""

from __future__ import annotations

import click


@click.group(no_args_is_help=False)
def data() -> None:
    """The public datasets: which, where, and whether whole."""


@data.command("list")
def data_list() -> None:
    """List the datasets and whether each is here."""
    from ibidem.cli.dataset_tables import listing
    from ibidem.cli.tables import show_rows

    show_rows(*listing())


@data.command("verify")
@click.argument("names", metavar="[NAME]...", nargs=-1)
def data_verify(names: tuple[str, ...]) -> int:
    """Check that datasets are whole: NAMEs, or all.

    Exits with 1 when one is missing or damaged.
    """
    from ibidem.cli.dataset_tables import verification
    from ibidem.cli.tables import show_rows

    header, rows, whole = verification(names)
    show_rows(header, rows)
    return 0 if whole else 1


@data.command("where")
def data_where() -> None:
    """Print the folder in which the datasets are looked for."""
    from ibidem.data import registry

    click.echo(registry.data_folder())

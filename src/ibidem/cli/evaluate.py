"""The command `ibidem evaluate`."""

from __future__ import annotations

import click

from ibidem.cli.options import NAME_OR_INPUT, Command, json_option, task_option


@click.command(cls=Command, renamed={"-s": "--split"})
@click.argument("model", type=NAME_OR_INPUT)
@click.argument("dataset", type=NAME_OR_INPUT)
@click.option("--split", metavar="SPLIT", help="The split to score. [default: dev of a dataset, all of a file]")
@json_option
@task_option(help="The task of `default`, or the one that MODEL must be for. [default: references, or any]")
def evaluate(model: str, dataset: str, split: str | None, as_json: bool, task: str | None) -> None:
    """Score a model on a dataset or a file of labelled strings.

    Shows exact match of all fields first, then precision, recall and F1 of the fields.

    MODEL is a file that `ibidem train` wrote, or `default` for the default model. DATASET is a name that
    `ibidem data list` shows, or a file of labelled strings (.jsonl, .conll, .xml).
    """
    import ibidem
    from ibidem.cli.tables import show_report

    chosen = None if model == "default" else model
    show_report(ibidem.evaluate(chosen, dataset, split, task=task), as_json=as_json)

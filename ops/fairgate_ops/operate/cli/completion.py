"""``fairgate completion bash|zsh``: print a script that completes commands in the shell."""

from __future__ import annotations

import argparse

from fairgate_ops.operate.cli.report import Report


def run_completion(options: argparse.Namespace) -> Report:
    import shtab

    from fairgate_ops.operate.cli.main import parser

    whole = parser()
    _name_files(whole, shtab.FILE)
    script = shtab.complete(whole, shell=options.shell)
    return Report({"shell": options.shell, "script": script}, [script])


def _name_files(parser: argparse.ArgumentParser, files: object) -> None:
    """Let the shell complete file names where an argument is a file."""
    for action in parser._actions:  # noqa: SLF001 argparse has no other way to walk a parser
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 the same
            for below in action.choices.values():
                _name_files(below, files)
        elif action.metavar == "FILE" or action.dest == "chart":
            vars(action)["complete"] = files

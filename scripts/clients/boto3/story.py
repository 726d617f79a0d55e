"""Tells the story with boto3, chapter by chapter, to the endpoint that the environment names."""

import importlib
import pathlib
import sys
import time
import traceback

import expect

HERE = str(pathlib.Path(__file__).parent)


def main():
    for name in sys.argv[1:]:
        before, start = expect.checks, time.monotonic()
        try:
            did = importlib.import_module(name).chapter()
        except Exception as error:
            sys.exit(f"   {name:<13} SURPRISE: {told(error)}")
        print(f"   {name:<13} {did} ({expect.checks - before} checks, {time.monotonic() - start:.1f} s)", flush=True)


def told(error):
    """What was expected, what came, and where in the story."""
    ours = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(HERE)]
    ours = [f for f in ours if pathlib.Path(f.filename).name != "expect.py"] or ours
    where = f"\n     at:       {pathlib.Path(ours[-1].filename).name}:{ours[-1].lineno}"
    if isinstance(error, expect.Surprise):
        return f"{error}{where}"
    return f"{ours[-1].line}\n     expected: an answer\n     came:     {type(error).__name__}: {error}{where}"


main()

"""What each Lambda function costs to import: `python -m fairgate_ops.prove.bench.imports`.

Fresh processes with compiled bytecode, medians, beside a bare interpreter of the same run.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys

from fairgate_ops.shared.paths import ROOT

_RUNS = 7
_PROBE = """
import json, resource, sys, time

from fairgate_ops.shared.paths import ROOT
start = time.perf_counter()
if len(sys.argv) > 1:
    sys.path.insert(0, sys.argv[1])
    import handler
elapsed_ms = (time.perf_counter() - start) * 1000
used_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"ms": elapsed_ms, "mb": used_mb, "modules": sorted(sys.modules)}))
"""


def imported_by(function: str | None) -> dict[str, object]:
    """Import a function's handler in a fresh interpreter: ``ms``, ``mb``, ``modules``."""
    arguments = [str(ROOT / "functions" / function)] if function else []
    command = [sys.executable, "-c", _PROBE, *arguments]
    environment = {
        "PYTHONPATH": str(ROOT / "layers/core/python"),
        "POWERTOOLS_SERVICE_NAME": "bench",
        "AWS_DEFAULT_REGION": "eu-central-1",
        "PATH": "",
    }
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def functions() -> list[str]:
    return sorted(path.parent.name for path in ROOT.glob("functions/*/handler.py"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=_RUNS)
    runs = parser.parse_args().runs
    print(f"{'function':<14}{'ms':>8}{'MB':>8}   median of {runs} fresh processes")
    for name in [None, *functions()]:
        seen = [imported_by(name) for _ in range(runs)]
        ms = statistics.median(float(str(one["ms"])) for one in seen)
        mb = statistics.median(float(str(one["mb"])) for one in seen)
        print(f"{name or '(bare Python)':<14}{ms:>8.0f}{mb:>8.0f}")


if __name__ == "__main__":
    main()

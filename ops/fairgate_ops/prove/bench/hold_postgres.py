"""A stand-in: the same hold in PostgreSQL with ``SELECT … FOR UPDATE``, durable as it comes.

Runs in ``.venv-bench``, which has psycopg, against a server of its own in a temporary folder.
PostgreSQL refuses to run as root, so root gives it to the user ``postgres``.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fairgate_ops.run.load.at_once import Start, at_once
from fairgate_ops.run.local.processes import StartError, accepts, free_port, start_child, wait_until
from fairgate_ops.shared.paths import ROOT

USER = "postgres"
SEATS = 4  # a hold's
HOLD_LIMIT = 10
SEATS_MAX = 400_000

SCHEMA = f"""
CREATE TABLE session (
    id text PRIMARY KEY, state text NOT NULL, expires_at timestamptz NOT NULL,
    held int NOT NULL CHECK (held <= {HOLD_LIMIT})
);
CREATE TABLE seat (
    id int PRIMARY KEY, availability text NOT NULL, session_id text, expires_at timestamptz,
    version int NOT NULL
);
CREATE TABLE reservation (
    session_id text, hold_id text, seat_id int, PRIMARY KEY (session_id, hold_id, seat_id)
);
INSERT INTO seat SELECT n, 'available', NULL, NULL, 0 FROM generate_series(1, {SEATS_MAX}) n;
"""  # noqa: S608 numbers of this module
OPEN = "INSERT INTO session VALUES (%s, 'reservation', now() + interval '1 hour', 0)"
MAY_HOLD = (
    "SELECT expires_at FROM session WHERE id = %s AND state = 'reservation'"
    " AND expires_at > now() AND held <= %s FOR UPDATE"
)
LOCK = (
    "SELECT id FROM seat WHERE id = ANY(%s) AND (availability = 'available'"
    " OR (availability = 'locked' AND expires_at <= now())) ORDER BY id FOR UPDATE"
)
TAKE = (
    "UPDATE seat SET availability = 'locked', session_id = %s, expires_at = %s,"
    " version = version + 1 WHERE id = ANY(%s)"
)
RESERVE = "INSERT INTO reservation SELECT %s, %s, unnest(%s::int[])"
COUNT = "UPDATE session SET held = held + %s WHERE id = %s"


def missing_postgres() -> str | None:
    """What this machine lacks, or None."""
    if server_folder() is None:
        return "PostgreSQL is not installed. On Debian or Ubuntu: apt-get install postgresql"
    if not (ROOT / ".venv-bench" / "bin" / "python").exists():
        return "psycopg is not installed: make bench-hold installs it into .venv-bench"
    if os.geteuid() == 0 and not (_known(USER) and shutil.which("setpriv")):
        return f"as root, PostgreSQL needs a user named {USER} and the command setpriv"
    return None


def server_folder() -> Path | None:
    """Where initdb and postgres are: on the PATH, or where Debian keeps them; the newest."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=_version)
    return folders[-1].parent if folders else None


def _version(binary: Path) -> int:
    name = binary.parents[1].name
    return int(name) if name.isdigit() else 0


def _known(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


def run_apart(*, processes: int, seconds: float) -> dict[str, Any]:
    """The benchmark in ``.venv-bench``. Raises StartError with what it said."""
    code = "from fairgate_ops.prove.bench.hold_postgres import main; main()"
    command = [str(ROOT / ".venv-bench" / "bin" / "python"), "-c", code]
    command += ["--processes", str(processes), "--seconds", str(seconds)]
    env = {"PATH": os.environ.get("PATH", os.defpath), "PYTHONPATH": str(ROOT / "ops")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    if done.returncode != 0:
        raise StartError(f"The PostgreSQL stand-in did not run:\n{done.stderr.strip()[-2000:]}")
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@contextmanager
def server(folder: Path) -> Iterator[int]:
    """A fresh cluster with PostgreSQL's own settings (fsync on), and its port."""
    binaries = server_folder()
    if binaries is None:
        raise StartError(str(missing_postgres()))
    folder.chmod(0o755)
    data, logs = folder / "data", folder / "logs"
    data.mkdir()
    prefix: list[str] = []
    if os.geteuid() == 0:
        shutil.chown(data, USER)
        prefix = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
    env = {"PATH": os.defpath, "LC_ALL": "C.UTF-8"}
    make = [*prefix, str(binaries / "initdb"), "-D", str(data), "-U", "bench", "-A", "trust", "-N"]
    done = subprocess.run(make, capture_output=True, text=True, check=False, env=env, cwd="/")
    if done.returncode != 0:
        raise StartError(f"initdb failed: {done.stderr.strip()[-1000:]}")
    port = free_port()
    options = {"listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": ""}
    serve = [str(binaries / "postgres"), "-D", str(data)]
    serve += [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
    # A change of user clears the tie to the parent; setpriv ties it again.
    tied = [*prefix, "--pdeathsig=TERM", *serve] if prefix else serve
    child = start_child("postgres", tied, logs_dir=logs, env=env, cwd=Path("/"))
    try:
        wait_until(lambda: accepts(port), "PostgreSQL", child=child)
        yield port
    finally:
        child.stop()


def hold(connection: Any, session: str, hold_id: str, seats: Sequence[int]) -> bool:
    """All of the seats for the session, or none; False when something stands against it."""
    with connection.transaction() as transaction:
        found = connection.execute(MAY_HOLD, (session, HOLD_LIMIT - len(seats))).fetchone()
        free = connection.execute(LOCK, (list(seats),)).fetchall() if found else []
        if found is None or len(free) < len(seats):
            import psycopg

            raise psycopg.Rollback(transaction)
        connection.execute(TAKE, (session, found[0], list(seats)))
        connection.execute(RESERVE, (session, hold_id, list(seats)))
        connection.execute(COUNT, (len(seats), session))
        return True
    return False


def holds(start: Start, port: int, number: int, processes: int, seconds: float) -> int:
    """Hold free seats that nobody else wants, for so long; how many holds."""
    with connected(port) as connection:
        begin = number * (SEATS_MAX // processes) + 1
        end = begin + SEATS_MAX // processes
        start()
        until = time.monotonic() + seconds
        made = 0
        for first in itertools.takewhile(lambda f: f + SEATS <= end, itertools.count(begin, SEATS)):
            if time.monotonic() >= until:
                break
            session = f"s{number}-{made // 2}"  # two holds a session, within its limit
            if made % 2 == 0:
                connection.execute(OPEN, (session,))
            if not hold(connection, session, f"h{made}", range(first, first + SEATS)):
                raise StartError("PostgreSQL refused a hold of free seats")
            made += 1
    return made


@contextmanager
def connected(port: int) -> Iterator[Any]:
    import psycopg

    address = f"host=127.0.0.1 port={port} user=bench dbname=postgres connect_timeout=5"
    with psycopg.connect(address, autocommit=True) as connection:
        yield connection


def prepared(port: int) -> str:
    """Make the tables; returns the server's version."""
    with connected(port) as connection:
        connection.execute(SCHEMA)
        connection.execute("VACUUM ANALYZE seat")
        connection.execute("CHECKPOINT")
        version: str = connection.execute("SHOW server_version").fetchone()[0]
        return version.split(maxsplit=1)[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=5.0)
    options = parser.parse_args()
    try:
        with (
            tempfile.TemporaryDirectory(prefix="fairgate-bench-") as folder,
            server(Path(folder)) as port,
        ):
            version = prepared(port)
            tasks = [
                (port, n, options.processes, options.seconds) for n in range(options.processes)
            ]
            made = at_once(holds, tasks, seconds=options.seconds)
    except StartError as error:
        sys.exit(str(error))
    print(json.dumps({"version": version, "holds": sum(made), "seconds": options.seconds}))

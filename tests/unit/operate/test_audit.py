"""The audit over made sales: honest ones are clean, and each forgery is found as what it is."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from fairgate.domain.gate.admission import lottery_number
from fairgate.domain.gate.draft import State
from fairgate.domain.gate.gate_history import GateVersion
from fairgate.domain.shared.jws import from_b64url
from fairgate.errors import MalformedInputError
from fairgate_lab.bench.audit.made_sale import (
    CLOSED,
    EVENT,
    PAUSED,
    RESUMED,
    SALE_START,
    forge_each,
    forge_one,
    honest_lines,
    rules,
    write_sale,
)
from fairgate_ops.operate.audit.check import Tolerances
from fairgate_ops.operate.audit.rules import SaleRules, read_rules
from fairgate_ops.operate.audit.sale import Audit, audit_log
from fairgate_ops.operate.cli import main

SMALL = 3_000
Line = dict[str, Any]
TOLERANCES = Tolerances()


def write(folder: Path, lines: list[Line], **end: int) -> str:
    counts = {"admissions": len(lines), "orders": 0, "sessions_used": len(lines)} | end
    head = {"format": "fairgate-admission-log/1", "event": EVENT, "published": False}
    path = folder / "log.jsonl.gz"
    with gzip.open(path, "wt") as file:
        file.writelines(json.dumps(line) + "\n" for line in (head, *lines, {"end": counts}))
    return str(path)


def audited(
    folder: Path, lines: list[Line], sale: SaleRules | None = None, **tolerances: float
) -> Audit:
    return audit_log(write(folder, lines), sale or rules(), replace(TOLERANCES, **tolerances))


@pytest.fixture(scope="module")
def honest() -> str:
    return json.dumps(honest_lines(400, rules()))


@pytest.fixture
def lines(honest: str) -> list[Line]:
    found: list[Line] = json.loads(honest)
    return found


def at(line: Line, at_s: float) -> Line:
    """The same admission at another moment."""
    ms = round(at_s * 1000)
    return line | {"at_ms": ms, "until_ms": ms + 600_000, "edge_at": int(at_s)}


def admission_s(line: Line, sale: SaleRules) -> float:
    """When the rule first admits this one, by plain Python."""
    from fairgate.domain.gate.draw_proof import time_of

    u = lottery_number(sale.number_key, from_b64url(line["lot"]))
    turn = time_of(sale.versions[-1].epochs, line["h"] - math.log1p(-u))
    assert turn is not None
    return turn


def test_one_forged_admission_is_found_among_twenty_thousand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, config, wanted = write_sale(tmp_path, 20_000, forge_one)
    assert main.main(["audit", "--log", str(log), "--config", str(config), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["counts"] == wanted == {"not-drawn": 1}
    assert found["admissions"] == 20_000
    (finding,) = found["findings"]
    assert finding["user"].startswith("user-")


def test_each_kind_of_forgery_is_found_once_and_nothing_else(tmp_path: Path) -> None:
    log, config, wanted = write_sale(tmp_path, SMALL, forge_each)
    audit = audit_log(str(log), read_rules(str(config)), TOLERANCES)
    assert dict(audit.counts) == wanted


def test_an_honest_sale_is_clean_and_several_processes_agree(tmp_path: Path) -> None:
    log, config, _ = write_sale(tmp_path, SMALL, forge_each)
    sale = read_rules(str(config))
    alone, together = (audit_log(str(log), sale, TOLERANCES, workers=n) for n in (1, 2))
    assert alone == together
    clean, config, _ = write_sale(tmp_path, SMALL)
    assert audit_log(str(clean), read_rules(str(config)), TOLERANCES).findings == []


@pytest.mark.parametrize(("early_s", "found"), [(1.9, 0), (2.1, 1)])
def test_a_clock_is_forgiven_two_seconds_and_no_more(
    tmp_path: Path, lines: list[Line], early_s: float, found: int
) -> None:
    sale = rules()
    late = next(n for n in lines if admission_s(n, sale) > RESUMED + 100)
    audit = audited(tmp_path, [at(late, admission_s(late, sale) - early_s)])
    assert audit.counts["not-drawn"] == found
    assert (
        audited(tmp_path, [at(late, admission_s(late, sale) - early_s)], clock_s=3).findings == []
    )


@pytest.mark.parametrize(("after_s", "found"), [(11, 0), (13, 1)])
def test_the_origin_is_forgiven_its_lag_when_the_gate_shuts(
    tmp_path: Path, lines: list[Line], after_s: float, found: int
) -> None:
    due = next(n for n in lines if admission_s(n, rules()) < PAUSED - 100 and n["iat"] < PAUSED)
    audit = audited(tmp_path, [at(due, PAUSED + after_s)])
    assert audit.counts["while-shut"] == found


def test_an_edge_that_heard_late_is_forgiven_its_lag(tmp_path: Path, lines: list[Line]) -> None:
    """A change dated too near: for two minutes tokens carry h of the line before."""
    sale = rules()
    first = sale.versions[0]
    bent = (*first.epochs, (SALE_START + 100.0, 100 / 600, 1 / 60))
    written = GateVersion((SALE_START + 99) * 1000, "open", 0, SALE_START, bent)
    sale = replace(sale, versions=[first, written])
    base = next(n for n in lines if admission_s(n, rules()) < SALE_START + 60)
    for seconds, found in ((100, 0), (230, 1)):
        iat = SALE_START + 100 + seconds
        stale = base | {"iat": iat, "h": (iat - SALE_START) / 600}
        ms = f"{iat * 1000:012x}"
        stale["token"] = f"{ms[:8]}-{ms[8:]}-7000-8000-000000000000"
        audit = audited(tmp_path, [at(stale, iat + 5000)], sale)
        assert audit.counts["wrong-h"] == found


def test_everyone_may_come_in_when_the_gate_stands_open(tmp_path: Path, lines: list[Line]) -> None:
    sale = rules()
    until = SALE_START + 300
    free = structs.replace(sale.versions[0], at_ms=(SALE_START + 10) * 1000, open_until_s=until)
    sale = replace(sale, versions=[sale.versions[0], free])
    late = next(n for n in lines if n["h"] == 0 and admission_s(n, rules()) > RESUMED)
    audit = audited(tmp_path, [at(late, until - 5)], sale)
    assert (audit.findings, audit.free) == ([], 1)
    assert audited(tmp_path, [at(late, until + 5)], sale).counts == {"not-drawn": 1}


def test_a_token_given_while_none_were_given_is_found(tmp_path: Path, lines: list[Line]) -> None:
    sale = rules()
    last = sale.versions[-1]
    drained = structs.replace(last, at_ms=(SALE_START + 300) * 1000, state="draining")
    sale = replace(
        sale,
        versions=[structs.replace(last, at_ms=(SALE_START - 3600) * 1000, state="open"), drained],
    )
    late = next(n for n in lines if n["iat"] > SALE_START + 500)
    assert audited(tmp_path, [late], sale).counts == {"joined-while-shut": 1}


def test_nobody_comes_in_after_the_end(tmp_path: Path, lines: list[Line]) -> None:
    assert audited(tmp_path, [at(lines[0], CLOSED + 60)]).counts == {"while-shut": 1}


def test_another_key_than_the_committed_one_is_found(tmp_path: Path, lines: list[Line]) -> None:
    sale = replace(rules(), commitment="0" * 64)
    assert audited(tmp_path, lines, sale).counts == {"broken-commitment": 1}


def test_a_promised_beacon_that_was_not_mixed_in_is_found(
    tmp_path: Path, lines: list[Line]
) -> None:
    promised = {"source": "drand", "at": "2027-01-01T00:00:00.000Z", "value": ""}
    sale = replace(rules(), beacon_announced=promised)
    assert audited(tmp_path, lines, sale).counts == {"missing-beacon": 1}
    drawn_without = replace(sale, beacon_value="1234")
    assert audited(tmp_path, lines, drawn_without).counts["not-drawn"] > 100


@pytest.mark.parametrize("place", ["within", "between"])
def test_a_step_in_operational_time_is_found(tmp_path: Path, place: str) -> None:
    """Whoever writes one in lets those in who are a step ahead."""
    sale = rules()
    versions = list(sale.versions)
    if place == "within":
        t, h, slope = versions[1].epochs[-1]
        versions[1] = structs.replace(
            versions[1], epochs=(*versions[1].epochs[:-1], (t, h + 0.5, slope))
        )
    else:
        epochs = tuple((t, h + 0.5, slope) for t, h, slope in versions[2].epochs)
        versions[2] = structs.replace(versions[2], epochs=epochs)
    assert audited(tmp_path, [], replace(sale, versions=versions)).counts["broken-line"] >= 1


@pytest.mark.parametrize(
    ("published_s", "then", "broken"),
    [(1, "draft", 0), (1, "open", 1), (0, "draft", 1), (-1, "draft", 1)],
    ids=["while a draft", "and open at once", "just published", "long published"],
)
def test_a_step_of_a_draft_is_none_until_it_is_published(
    tmp_path: Path, published_s: int, then: State, broken: int
) -> None:
    """Its sale start had passed and is moved. The others are the negative controls."""
    first, second = rules().versions[:2]
    until_s = math.floor(second.at_ms / 1000) + published_s
    (t, h, _slope), *_ = second.epochs
    old = structs.replace(first, state="draft", open_until_s=until_s, epochs=((t - 900, h, 0.2),))
    new = structs.replace(second, state=then, open_until_s=until_s, epochs=((t - 900, h, 0.0),))
    audit = audited(tmp_path, [], replace(rules(), versions=[old, new]))
    assert audit.counts.get("broken-line", 0) == broken


def test_a_log_that_lost_lines_is_found(tmp_path: Path, lines: list[Line]) -> None:
    path = write(tmp_path, lines[1:], admissions=len(lines), sessions_used=len(lines))
    assert audit_log(path, rules(), TOLERANCES).counts == {
        "missing-lines": 1,
        "missing-admissions": 1,
    }


def test_lists_are_bounded_and_counts_are_whole(tmp_path: Path) -> None:
    many = [at(line, SALE_START - 100) for line in honest_lines(SMALL, rules())]
    audit = audited(tmp_path, many)
    assert audit.counts["before-sale-start"] == SMALL
    assert sum(f.kind == "before-sale-start" for f in audit.findings) == 1_000


BAD_LINES: dict[str, Callable[[Line], object]] = {
    "is not JSON": lambda _line: "{",
    "its h is no operational time": lambda line: line | {"h": "0.5"},
    "its iat is no time": lambda line: line | {"iat": -1},
    "its user is none": lambda line: line | {"user": "a\nb"},
    "its session is none": lambda line: line | {"session": "ses_1"},
    "its token is none": lambda line: line | {"token": "x"},
    "its lot has not 16 bytes": lambda line: line | {"lot": "AAAA"},
    "has no 'at_ms'": lambda line: {k: v for k, v in line.items() if k != "at_ms"},
    "is neither an admission nor an order": lambda _line: {"admission": 1},
    "is not what an export writes": lambda line: line | {"user": 5},
    "not canonical base64url": lambda line: line | {"lot": "A" * 21 + "B"},
}


@pytest.mark.parametrize("reason", list(BAD_LINES))
def test_a_damaged_line_is_named_by_its_number(
    tmp_path: Path, lines: list[Line], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spoilt: Any = BAD_LINES[reason](lines[4])
    path = write(tmp_path, [*lines[:4], spoilt, *lines[5:]])
    if spoilt == "{":
        with gzip.open(path, "rt") as file:
            text = file.read().replace('"{"', "{")
        Path(path).write_bytes(gzip.compress(text.encode()))
    with pytest.raises(MalformedInputError) as caught:
        audit_log(path, rules(), TOLERANCES)
    assert caught.value.fields["errors"] == [{"where": "line 6", "what": reason}]
    config = tmp_path / "rules.json"
    config.write_text(json.dumps(rules().as_json()))
    assert main.main(["audit", "--log", path, "--config", str(config)]) == 1
    assert "line 6" in capsys.readouterr().err


def test_a_log_that_cannot_be_read_is_refused_with_what_to_do(
    tmp_path: Path, lines: list[Line], capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(write(tmp_path, lines))
    whole = path.read_bytes()
    config = tmp_path / "rules.json"
    config.write_text(json.dumps(rules().as_json()))
    plain = gzip.decompress(whole)
    for content, said in (
        (whole[: len(whole) // 2], "cut off"),
        (plain[: plain.rindex(b'{"end"')], "no last line"),
        (b"", "empty"),
        (b"hello\n", "not an admission log"),
        (plain.replace(b'"event": "made-sale"', b'"event": "other"'), "the log of other"),
    ):
        path.write_bytes(content)
        assert main.main(["audit", "--log", str(path), "--config", str(config)]) == 1
        assert said in capsys.readouterr().err
    path.write_bytes(plain)
    assert main.main(["audit", "--log", str(path), "--config", str(config)]) == 0


def test_files_that_are_missing_or_wrong_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "rules.json"
    document = rules().as_json()
    for spoilt, said in (
        ("{", "not JSON"),
        ("[]", "not a file of a sale's rules"),
        (json.dumps(document | {"draw_key": "xyz"}), "64 hexadecimal digits"),
        (json.dumps(document | {"gate_history": []}), "gate_history"),
        (json.dumps(document | {"curve": 0}), "curve"),
        (json.dumps({k: v for k, v in document.items() if k != "mode"}), "has no 'mode'"),
    ):
        config.write_text(spoilt)
        assert main.main(["audit", "--log", "x", "--config", str(config)]) == 1
        assert said in capsys.readouterr().err
    config.write_text(json.dumps(document))
    for words, said in (
        (["--log", "x"], "--config FILE is missing"),
        (["--config", str(config)], "--log FILE is missing"),
        (["--log", str(tmp_path / "none"), "--config", str(config)], "cannot be read"),
        (["other", "--log", "x", "--config", str(config)], "is about made-sale"),
    ):
        assert main.main(["audit", *words]) == 1
        assert said in capsys.readouterr().err


@pytest.mark.parametrize("words", ["--lag-s -1", "--clock-s soon", "--workers 0", "--log"])
def test_wrong_usage_exits_with_two(words: str) -> None:
    with pytest.raises(SystemExit) as caught:
        main.main(["audit", "final", *words.split()])
    assert caught.value.code == 2


def test_rules_survive_their_file(tmp_path: Path) -> None:
    path = tmp_path / "rules.json"
    path.write_text(json.dumps(rules().as_json()))
    assert read_rules(str(path)) == rules()


@pytest.mark.parametrize(("state", "found"), [("finalised", 0), ("cancelled", 0), ("expired", 1)])
def test_a_second_session_is_right_when_the_first_had_ended(
    tmp_path: Path, lines: list[Line], state: str, found: int
) -> None:
    first = lines[0] | {"state": state}
    second = at(first, first["at_ms"] / 1000 + 100) | {"session": "ses_" + "e" * 32}
    digits = first["token"][:-4]
    second["token"] = digits + ("0000" if first["token"][-4:] != "0000" else "0001")
    audit = audited(tmp_path, [first, second], replace(rules(), sessions_limit=2))
    assert audit.counts["two-live-sessions"] == found
    assert audit.counts["too-many-sessions"] == 0


@pytest.mark.parametrize(
    ("published_s", "found"),
    [(SALE_START - 3_590, set()), (0, {"while-shut", "joined-while-shut"})],
    ids=["in time", "never"],
)
def test_a_draft_counts_as_open_from_its_publication_on(
    tmp_path: Path, lines: list[Line], published_s: int, found: set[str]
) -> None:
    """Its gate's value is not written again at that time."""
    first, *later = rules().versions
    drafted = structs.replace(first, state="draft", open_until_s=published_s)
    audit = audited(tmp_path, lines, replace(rules(), versions=[drafted, *later]))
    kinds = {kind for kind, count in audit.counts.items() if count}
    assert found <= kinds if found else kinds == set()


def reached(line: Line) -> float:
    """H as the origin sees it at this admission."""
    t, h, slope = next(e for e in reversed(rules().versions[-1].epochs) if e[0] <= at_s(line) + 2)
    return h + (at_s(line) + 2 - t) * slope


def at_s(line: Line) -> float:
    return float(line["at_ms"]) / 1000


def standing(lines: list[Line], level: float) -> Line:
    """One whose turn a sale at capacity at this level has come to, let in while it stood there."""
    due = next(
        n for n in lines if n["h"] == 0 and admission_key(n) <= level and n["iat"] < SALE_START
    )
    line = at(due, RESUMED + 900)
    return line | {"d": reached(line) - level}


def admission_key(line: Line) -> float:
    return float(line["h"]) - math.log1p(
        -lottery_number(rules().number_key, from_b64url(line["lot"]))
    )


@pytest.mark.parametrize(("beyond", "found"), [(1e-3, {"out-of-turn": 1}), (-1e-3, {})])
def test_an_admission_beyond_the_threshold_is_found(
    tmp_path: Path, lines: list[Line], beyond: float, found: dict[str, int]
) -> None:
    line = standing(lines, 2.0)
    held = line | {"d": reached(line) - (admission_key(line) - beyond)}
    assert audited(tmp_path, [held]).counts == found
    assert audited(tmp_path, [{**held, "d": 0.0}]).counts == {}


@pytest.mark.parametrize(("later_s", "found"), [(3.5, {}), (5.0, {"level-fallen": 1})])
def test_a_threshold_that_falls_is_found(
    tmp_path: Path, lines: list[Line], later_s: float, found: dict[str, int]
) -> None:
    first = standing(lines, 2.0)
    others = [n for n in lines if n["user"] != first["user"]]
    second = at(standing(others, 1.5), at_s(first) + later_s)
    second["d"] = reached(second) - 1.5
    assert audited(tmp_path, [first, second]).counts == found
    known = {name: value for name, value in first.items() if name != "d"}
    assert audited(tmp_path, [known, second]).counts == {}  # it could not be asked for then

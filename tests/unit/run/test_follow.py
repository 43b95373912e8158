"""Crowds that were asked for are brought, counted, and ended with the sale."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from fairgate.errors import TableUnavailableError
from fairgate.service.operators.rehearsals import ASKED, ENDED, RUNNING, Rehearsals
from fairgate_ops.operate.cli.main import parser
from fairgate_ops.run.crowd.buyer import Outcome
from fairgate_ops.run.rehearse import follow
from fairgate_ops.shared.rehearsal_scripts import SCRIPTS, Timed
from tests.support.waiting import wait_until
from tests.support.world import EVENT, World, event_on_sale

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WITHIN_S = 20.0


class Crowd:
    """Buyers who end as they are told: two tickets and a refusal, or nobody ever."""

    stays = False

    def __init__(
        self, _url: str, event: str, *, on_end: Callable[[Outcome], None], **_more: Any
    ) -> None:
        self.event, self._on_end, self.arrived = event, on_end, 0

    async def arrive(self, count: int, _arrival_s: float) -> None:
        self.arrived = count
        for kind in ("ticket", "ticket", "refusal"):
            self._on_end(Outcome("ann", kind, ""))
        if self.stays:
            await asyncio.Event().wait()


@pytest.fixture
def crowds(world: World, monkeypatch: pytest.MonkeyPatch) -> Rehearsals:
    monkeypatch.setattr(follow, "Crowd", Crowd)
    monkeypatch.setattr(follow, "LOOK_S", 0.01)
    monkeypatch.setattr(follow, "NOTE_S", 0.01)
    return Rehearsals(world.table, world.clock)


def ask(crowds: Rehearsals, event: str = EVENT, script: str = "calm") -> None:
    crowds.ask(event, "original", buyers=3, script=script, by="olga")


def typed(_words: Sequence[str]) -> Any:
    raise AssertionError("nothing is to be typed")


async def followed(
    world: World, until: Callable[[], bool], type_there: Callable[[Sequence[str]], Any] = typed
) -> None:
    target: Any = SimpleNamespace(world=world.container)
    follower = follow.Follower(target, type_there)
    following = asyncio.create_task(follower.follow())
    await asyncio.to_thread(wait_until, until, "what the crowd was to do", WITHIN_S)
    following.cancel()


def state_of(crowds: Rehearsals, event: str = EVENT) -> str:
    found = crowds.find(event)
    assert found is not None
    return found.state


def test_a_crowd_is_brought_and_counted(world: World, crowds: Rehearsals) -> None:
    ask(crowds)
    asyncio.run(followed(world, lambda: state_of(crowds) == ENDED))
    found = crowds.find(EVENT)
    assert found is not None
    assert (found.arrived, found.tickets, found.gone) == (3, 2, 1)


def test_the_end_of_a_crowd_is_noted_once_the_table_takes_it_again(
    world: World, crowds: Rehearsals, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused, note = list[str](), Rehearsals.note

    def throttled(self: Rehearsals, event: str, state: str, **counts: int) -> None:
        if state == ENDED and not refused:
            refused.append(event)
            raise TableUnavailableError("The tables do not answer.")
        note(self, event, state, **counts)

    monkeypatch.setattr(Rehearsals, "note", throttled)
    ask(crowds)
    asyncio.run(followed(world, lambda: state_of(crowds) == ENDED))
    assert refused == [EVENT]


def test_a_crowd_waits_for_its_copy(world: World, crowds: Rehearsals) -> None:
    ask(crowds, "not-made-yet")
    ask(crowds)
    asyncio.run(followed(world, lambda: state_of(crowds) == ENDED))
    assert state_of(crowds, "not-made-yet") == ASKED


def test_closing_the_copy_ends_its_crowd(
    world: World, crowds: Rehearsals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Crowd, "stays", True)
    ask(crowds)

    def ended() -> bool:
        if state_of(crowds) == RUNNING:
            closed = event_on_sale(state="closed", version=world.event.version + 1)
            world.put(msgspec.structs.replace(closed, layout=world.event.layout))
            world.clock.ms += 60_000  # what the reader kept is older than it may be
        return state_of(crowds) == ENDED

    asyncio.run(followed(world, ended))


def test_a_script_is_done_by_the_commands_of_operators(
    world: World, crowds: Rehearsals, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[Sequence[str]] = []

    def types(words: Sequence[str]) -> Any:
        said.append(words)
        return SimpleNamespace(returncode=0, stdout="done", stderr="")

    monkeypatch.setattr(Crowd, "stays", True)
    acts = (Timed(-1, "event pause EVENT"), Timed(0, "event say EVENT --off"))
    monkeypatch.setitem(SCRIPTS, "quick", SCRIPTS["calm"]._replace(acts=acts))
    ask(crowds, script="quick")
    asyncio.run(followed(world, lambda: len(said) == len(acts), types))
    assert said == [["event", "pause", EVENT], ["event", "say", EVENT, "--off"]]


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_act_of_a_script_can_be_typed(name: str) -> None:
    for act in SCRIPTS[name].acts:
        options = parser().parse_args(act.do.replace("EVENT", EVENT).split())
        assert options.event == EVENT


def test_no_crowd_is_brought_to_a_stage_that_nobody_confirmed(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = world.container.settings._replace(public_url="https://tickets.example.org")
    there = SimpleNamespace(world=SimpleNamespace(settings=settings))
    monkeypatch.setattr(follow, "target_of", lambda _options: there)
    assert follow.main(["--target", "aws", "--stage", "prod"]) == 2
    assert "GO=tickets.example.org" in capsys.readouterr().err

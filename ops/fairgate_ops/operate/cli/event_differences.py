"""``fairgate event edit --from``: find what an event's file says otherwise than the event is."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from fairgate.domain.catalog.brand_files import NAMES
from fairgate.domain.seating.layout import split_layout
from fairgate.domain.shared.reading import Problems
from fairgate.errors import MalformedInputError
from fairgate.service.catalog.edit_event import EDITABLE, FIXED
from fairgate.service.catalog.fact_checks import tidy
from fairgate.service.shared.zoned_times import utc_moment
from fairgate_ops.operate.cli.brand_files import taken
from fairgate_ops.operate.cli.event_fields import fields
from fairgate_ops.operate.cli.event_file import EventFile, beside, left_of, mark
from fairgate_ops.operate.cli.event_toml import toml_of
from fairgate_ops.operate.importers.detect import import_chart
from fairgate_ops.shared import named_files

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.service.shared.records.catalog import Event
    from fairgate_ops.operate.target import Target

_CHANGED_BY = {
    "tau_s": "`fairgate tau set`",
    "sample_violations": "`fairgate tau set`",
    "session_mean_s": "`fairgate tau set`",
    "live_max": "`fairgate event target`",
    "control": "`fairgate event target`",
}
_NONE = ("", "never", "at-start")


def prepare(options: argparse.Namespace) -> None:
    """Read the file; its time zone counts for the times. Raises MalformedInputError."""
    file = EventFile.at(options.source)
    mark(options, file)
    file.typed -= {"event"}  # it says which is edited, and the file must be of the same
    options.file = file
    if "time_zone" in file.values and "time_zone" not in file.typed:
        options.time_zone = file.values["time_zone"]


def take_differences(options: argparse.Namespace, target: Target, sale: Event) -> None:
    """Put among the options what differs from the event and was not typed.

    Raises MalformedInputError: the file is another event's, or has what `event edit` cannot change.
    """
    found = _Differences(options, sale, target.control().read(sale.id))
    found.take()
    found.problems.raise_if_any(options.source)


class _Differences:
    def __init__(self, options: argparse.Namespace, sale: Event, gate: GateConfig) -> None:
        self.options, self.sale, self.problems = options, sale, Problems()
        self.file: EventFile = options.file
        self.present = EventFile(sale.id, toml_of(sale, gate))

    def take(self) -> None:
        options, wanted = self.options, left_of(self.file)
        now = self.present.values
        if "time_zone" not in self.file.typed:
            vars(options).pop("time_zone", None)
        prices = self._of_tiers(wanted, "price")
        rates = self._of_tiers(wanted, "vat")
        if (of_all := wanted.pop("vat_all", None)) is not None:
            wanted.setdefault("vat_fees", of_all)
        wanted.pop("price_all", None)
        chart = wanted.pop("venue", None)
        if self.sale.control == "auto":
            wanted.pop("tau_s", None)  # the controller changes it all the time
        options.after_start = options.after_start or wanted.pop("after_start", False)
        self._take_files(wanted)
        for name, field in fields().items():
            if field.dest in wanted and not self._is_same(field.dest, wanted[field.dest]):
                if field.dest in (*EDITABLE, *FIXED, "sale_starts_at", "vat_fees"):
                    setattr(options, field.dest, wanted[field.dest])
                else:
                    self._cannot(name)
        for name, given in (("price", prices), ("vat", rates)):
            changed = [(tier, one) for tier, one in given if one != dict(now[name]).get(tier)]
            setattr(options, name, [*(getattr(options, name) or []), *changed] or None)
        if chart is not None:
            self._check_chart(chart)

    def _of_tiers(self, wanted: dict[str, Any], name: str) -> list[tuple[str, Any]]:
        """Return what the file has for each tier whose value was not typed."""
        given = dict(wanted.pop(name, []))
        if (of_all := wanted.get(f"{name}_all")) is not None:
            given = {tier.id: of_all for tier in self.sale.tiers} | given
        return [(t, one) for t, one in given.items() if f"{name} {t}" not in self.file.typed]

    def _take_files(self, wanted: dict[str, Any]) -> None:
        """Put the address that each file will have in the place of its name."""
        for name in NAMES:
            if not wanted.get(name):
                continue
            try:
                path = beside(self.options.source, wanted[name])
                wanted[name] = taken(self.options, name, path)
            except MalformedInputError as error:
                self.problems.add(self.file.place(f"--{name}"), error.detail)
                del wanted[name]

    def _is_same(self, dest: str, new: Any) -> bool:
        old = self.present.values.get(dest, new)
        if not any(field.dest == dest and field.is_time for field in fields().values()):
            return bool(tidy({dest: new})[dest] == old)
        if new in _NONE or old in _NONE:
            return new in _NONE and old in _NONE
        try:
            moment = utc_moment(new, self.options.event_zone)
        except ValueError:
            return False  # what is wrong with it is said by who reads it
        return moment == utc_moment(old, self.sale.time_zone)

    def _cannot(self, name: str, tier: str = "") -> None:
        dest = fields()[name].dest
        has, by = self.present.written(name, tier), _CHANGED_BY.get(dest)
        if name == "event":
            what = f"is another event than {has}: take this line out to use it for both"
        elif has is None:
            what = "the venue has no such tier"
        else:
            does = f"{by} does" if by else "create another event, or put it back"
            what = f"`event edit` cannot change it, and it is {has}: {does}"
        self.problems.add(self.file.place(f"--{name} {tier}".strip()), what)

    def _check_chart(self, chart: str) -> None:
        """Note another chart than that of the event; one that is not there may be the same."""
        where = self.file.place("--venue")
        path = beside(self.options.source, chart)
        if not named_files.is_file(path):
            if self.sale.chart and chart != self.sale.chart:
                what = f"does not exist, and the event was created from {self.sale.chart}"
                self.problems.add(where, what)
            return
        try:
            same = split_layout(import_chart(path)).hash == self.sale.layout
        except MalformedInputError as error:
            self.problems.add(where, error.detail)
            return
        if not same:
            what = "is another chart than the event's, whose seats never change"
            self.problems.add(where, what)

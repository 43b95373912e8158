// What is offered in the place of seats: others than were found, and the nearest free ones where somebody was faster.

import { loadSection, placeName, placesOf, seatName, unitLabel } from './catalog.js';
import { listText, money } from './format.js';
import { say } from './words.js';

const WITHOUT_MAX = 100; // seats that one request may leave out
const GROUPS_MAX = 3; // rows that are named; more are counted

/** Names seats of one section: 'Row C, seats 7 and 8'. */
function namesOf(seats) {
  const rows = new Map();
  for (const seat of seats) {
    const key = seat.unit ? seat.id : seat.rowId;
    rows.set(key, [...(rows.get(key) || []), seat]);
  }
  return [...rows.values()].map((same) =>
    same.length === 1
      ? seatName(same[0])
      : say('offer-seats', { row: same[0].row, numbers: listText(same.map((seat) => seat.number)) })
  );
}

export class Offers {
  constructor(sale) {
    this.sale = sale;
    this.wishes = new Map(); // hold → the wish that found it
  }

  /** Loads the seats of units; those of an area have none, and none has a section that cannot be had. */
  async seatsOf(units) {
    const seats = units.map(async ({ seat, section }) => {
      const layout = seat && (await loadSection(this.sale.event, section).catch(() => null));
      return layout?.byId.get(seat);
    });
    return (await Promise.all(seats)).filter(Boolean);
  }

  /** Names what a hold holds: 'Section 101 · Row C, seats 7 and 8'. */
  async namesOfHold({ units }) {
    const { event, venue } = this.sale;
    const seats = await this.seatsOf(units);
    if (seats.length < units.length) {
      return listText(await Promise.all(units.map((unit) => unitLabel(event, venue, unit))));
    }
    const sections = [...new Set(seats.map((seat) => seat.section))];
    const groups = sections.map((id) => [id, namesOf(seats.filter((seat) => seat.section === id))]);
    if (groups.flatMap(([, names]) => names).length > GROUPS_MAX) return say('sale-seats', { count: units.length });
    const nameOf = (id) => placeName(venue.sections.find((section) => section.id === id)?.name || id);
    return listText(groups.map(([id, names]) => `${nameOf(id)} · ${listText(names)}`));
  }

  // --- others than were found

  found(hold, wish) {
    this.wishes.set(hold.hold, wish);
  }

  /** Whether others may be asked for: they were found, and have seats that can be left out. */
  hasOthers(hold) {
    return this.wishes.has(hold.hold) && hold.units.every((unit) => unit.seat);
  }

  /** Holds the next best in the place of what was found. */
  others(hold) {
    const before = this.wishes.get(hold.hold);
    const seats = hold.units.map((unit) => unit.seat);
    const wish = { ...before, without: [...(before.without || []), ...seats].slice(-WITHOUT_MAX) };
    return this.sale.take(() => this.exchange(hold, wish, seats), wish);
  }

  /**
   * Holds others, and gives the first ones back when there are others; before that only where the limit leaves no
   * choice. Returns null where there are none.
   */
  async exchange(hold, wish, seats) {
    const { basket } = this.sale;
    const first = basket.spare < wish.quantity;
    if (first) await basket.release(hold);
    try {
      const other = await basket.best(wish);
      if (!first) await basket.release(hold);
      return other;
    } catch (error) {
      if (error.code !== 'no-seats-found') throw error;
      const kept = !first || (await this.holdAgain(hold, seats));
      this.sale.notify('info', say(kept ? 'offer-no-others' : 'offer-no-others-lost'));
      return null;
    }
  }

  async holdAgain(hold, seats) {
    try {
      this.found(await this.sale.basket.hold({ seats }), this.wishes.get(hold.hold));
      return true;
    } catch (error) {
      if (error.code !== 'seats-taken') throw error;
      return false;
    }
  }

  // --- instead of what somebody took

  /**
   * Finds the nearest free seats, as many side by side as were asked for in the section. Returns {text, act}, or null
   * where there are none.
   */
  async instead(lost, asked) {
    const { map, tiers, event } = this.sale;
    const [first] = lost;
    const count = asked.filter((seat) => seat.section === first.section).length;
    const seats = await map.nearestFree(first, count, lost);
    if (!seats.length) return null;
    const minor = seats.reduce((sum, seat) => sum + placesOf(seat) * (tiers.get(seat.tier)?.whole_minor ?? 0), 0);
    const names = listText(namesOf(seats));
    return {
      text: say('offer-hold', { seats: names, price: money(minor, event.currency) }),
      act: () => this.holdInstead(first.section, seats)
    };
  }

  holdInstead(section, seats) {
    const { chosen } = this.sale;
    for (const seat of [...chosen.values()]) if (seat.section === section) chosen.delete(seat.id);
    for (const seat of seats) chosen.set(seat.id, seat);
    return this.sale.holdChosen();
  }
}

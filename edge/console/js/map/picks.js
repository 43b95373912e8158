// What is chosen on the map: seats of the scene by their numbers, and how the acts name them.

/** What a seat is, in the order of the codes of status.bin. */
export const STATES = ['free', 'held', 'sold', 'blocked'];
export const FREE = 0;
export const SOLD = 2;
export const BLOCKED = 3;

export const UNITS = { seat: 'A seat', row: 'A row', section: 'A section' };

const numbers = ({ from, to }) => Array.from({ length: to - from }, (_, n) => from + n);

/** Rows of one section that share a name are one row to the acts: [{name, seats}]. */
export function rowsOf(section) {
  const rows = new Map();
  for (const row of section.rows) rows.set(row.name, [...(rows.get(row.name) ?? []), ...numbers(row)]);
  return [...rows].map(([name, seats]) => ({ name, seats }));
}

/** Returns the seats that are meant by some: themselves, their rows, or their sections. */
export function meantBy(scene, seats, unit) {
  if (unit === 'seat') return seats;
  const meant = new Set();
  for (const seat of seats) {
    if (meant.has(seat)) continue;
    const section = scene.sections[scene.section[seat]];
    const all = unit === 'section' ? numbers(section) : rowsOf(section).find((row) => row.seats.includes(seat)).seats;
    for (const one of all) meant.add(one);
  }
  return [...meant];
}

export const seatsOf = numbers;

/** Adds seats to what is chosen; takes them away where all of them are chosen. */
export function toggled(chosen, seats) {
  const after = new Set(chosen);
  const away = seats.every((seat) => chosen.has(seat));
  for (const seat of seats) {
    if (away) after.delete(seat);
    else after.add(seat);
  }
  return after;
}

/**
 * Names what is chosen in the fewest words: {section, row, seat}. Sections that are not chosen whole are named by their
 * rows, rows by their seats: `idOf(section, index)` is a seat's id.
 */
export async function namesOf(scene, chosen, idOf) {
  const named = { section: [], row: [], seat: [] };
  for (const section of scene.sections) {
    const seats = numbers(section);
    const picked = seats.filter((seat) => chosen.has(seat));
    if (picked.length === 0) continue;
    if (picked.length === seats.length) {
      named.section.push(section.id);
      continue;
    }
    for (const row of rowsOf(section)) {
      const some = row.seats.filter((seat) => chosen.has(seat));
      if (some.length === row.seats.length) named.row.push(`${section.id}/${row.name}`);
      else for (const seat of some) named.seat.push(await idOf(section.id, seat - section.from));
    }
  }
  return named;
}

/** Says what is chosen: "2 sections, row 101/C, 3 seats". */
export function saidOf({ section, row, seat }) {
  const some = (list, one) => {
    if (list.length === 0) return '';
    return list.length <= 3 && one !== 'seat' ? `${one} ${list.join(', ')}` : `${list.length} ${one}s`;
  };
  const [sections, rows] = [some(section, 'section'), some(row, 'row')];
  const seats = seat.length === 1 ? '1 seat' : some(seat, 'seat');
  return [sections, rows, seats].filter(Boolean).join(', ');
}

/**
 * Returns what seats are: the codes that buyers see, some seconds old, with what is blocked now. Without codes, as of a
 * draft, all others of the `count` seats are free.
 */
export function codesNow(codes, blocked, count) {
  const now = codes ? codes.map((code) => (code === BLOCKED ? FREE : code)) : new Uint8Array(count);
  for (const seat of blocked) now[seat] = BLOCKED;
  return now;
}

/** Splits what was typed, by line or comma. */
export const typed = (text) =>
  text
    .split(/[\n,]+/)
    .map((one) => one.trim())
    .filter(Boolean);

// What is wrong with a chart, and where it is on its map. A fault has a number: its place in the list.

const KINDS = ['section', 'row', 'seat', 'area', 'tier'];

/** {section: "101", row: "A"} → "section 101, row A". */
export const placeText = (place) =>
  KINDS.filter((kind) => place[kind])
    .map((kind) => `${kind} ${place[kind]}`)
    .join(', ');

/** Returns the faults of an answer: {n, what, where, named, spans: [from, to] of seats, points: {x, y}}. */
export const faultsOf = (errors) =>
  errors.map(({ where, what, places = [], spans = [] }, i) => ({
    n: i + 1,
    what,
    where,
    named: [...new Set(places.map(placeText).filter(Boolean))],
    spans,
    points: spans.length ? [] : places.filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))
  }));

export const isDrawn = ({ spans, points }) => spans.length + points.length > 0;

/** Returns where the signs of faults stand: {n, x, y}; in the middle of what each concerns. */
export function spotsOf(faults, scene) {
  const middle = ([from, to]) => (from + to) >> 1;
  return faults.flatMap(({ n, spans, points }) => [
    ...spans.map((span) => ({ n, x: scene.x[middle(span)], y: scene.y[middle(span)] })),
    ...points.map(({ x, y }) => ({ n, x, y }))
  ]);
}

/** Returns signs on the screen: spots that lie within `near` px of another share one: {x, y, all: [n]}. */
export function signsOf(spots, toScreen, near) {
  const signs = [];
  for (const { n, x, y } of spots) {
    const at = toScreen(x, y);
    const found = signs.find((one) => Math.hypot(one.x - at.x, one.y - at.y) < near);
    if (!found) signs.push({ ...at, all: [n] });
    else if (!found.all.includes(n)) found.all.push(n);
  }
  return signs;
}

/** Returns the section that some seats are all of, else null. */
export const sectionOf = ({ section, sections }, [from, to]) => {
  const whole = sections[section[from]];
  return whole.from === from && whole.to === to && to - from > 1 ? whole : null;
};

/** Splits seats by their rows: [[from, to]]. */
export const rowsIn = ({ row, rows }, [from, to]) => {
  const parts = [];
  for (let at = from; at < to; ) {
    const end = Math.min(to, rows[row[at]].to);
    parts.push([at, end]);
    at = end;
  }
  return parts;
};

/** Returns the faults that concern some of the seats from `from` to before `to`. */
export const faultsAmong = (faults, from, to) =>
  faults.filter(({ spans }) => spans.some(([a, b]) => a < to && b > from));

// What the logs answered, as it is shown: curves by minute, sums, and how far buyers came.

const MINUTE_S = 60;

const isText = (value) => typeof value === 'string';

/** Returns what a column of an answer adds up to; null without the answer, or where there is no such log. */
export function sumOf(answer, column) {
  if (!answer?.logged) return null;
  const place = answer.columns.indexOf(column);
  return place < 0 ? null : answer.rows.reduce((sum, row) => sum + (row[place] ?? 0), 0);
}

/** Returns the greatest value of a column; null where there is none. */
export function mostOf(answer, column) {
  const place = answer?.columns.indexOf(column) ?? -1;
  const values = (answer?.rows ?? []).map((row) => row[place]).filter((one) => typeof one === 'number');
  return values.length > 0 ? Math.max(...values) : null;
}

/**
 * Returns {times, series} of columns by minute, or by so many minutes as the answer's rows are apart: seconds since
 * 1970, and values. Times at which nothing happened are `none` each, so that no line is drawn over a pause.
 */
export function byMinute(answer, columns, none = 0) {
  const rows = (answer?.rows ?? []).filter(([minute]) => isText(minute));
  const at = new Map(rows.map((row) => [Date.parse(`${row[0].replace(' ', 'T')}Z`) / 1000, row]));
  const known = [...at.keys()].sort((a, b) => a - b);
  const [first, last] = [known[0], known.at(-1)];
  const stepS = MINUTE_S * (answer?.step_min ?? 1);
  const length = known.length > 0 ? Math.round((last - first) / stepS) + 1 : 0;
  const times = Array.from({ length }, (_, n) => first + n * stepS);
  const valueOf = (place) => (time) => (at.has(time) ? (at.get(time)[place] ?? none) : none);
  return { times, series: columns.map((name) => times.map(valueOf(answer.columns.indexOf(name)))) };
}

/** An estimate, no more than the requests to join, and no less than came in. */
function joinedOf(estimate, requests, cameIn) {
  if (requests === null) return estimate;
  return Math.max(cameIn, Math.min(estimate ?? requests, requests));
}

/**
 * Returns the steps from arrival to ticket as [{name, count, of, about}], `of` the unit. A step that nobody counted has
 * the count null. Steps are people up to the admission, then sessions, then orders: one person may have several.
 */
export function funnelOf(figures, answers) {
  const { room, sale } = figures;
  const sessions = (column) => sumOf(answers?.sessions_by_step, column);
  const arrivals = answers?.arrivals_by_minute;
  const cameIn = sumOf(arrivals, 'came_in');
  return [
    { name: 'Joined', count: joinedOf(room.joined, sumOf(arrivals, 'joined'), cameIn), of: 'accounts, estimated' },
    { name: 'Came in', count: cameIn, of: 'sessions' },
    { name: 'Asked for places', count: sessions('asked'), of: 'sessions' },
    { name: 'Held a place', count: sessions('held'), of: 'sessions' },
    { name: 'Went to pay', count: sessions('went_to_pay'), of: 'sessions' },
    { name: 'Paid', count: sale.paid, of: 'orders' }
  ];
}

const WHY = {
  'Came in': 'waited and left, or still wait',
  'Asked for places': 'only looked',
  'Held a place': 'found all that they asked for taken',
  'Went to pay': 'let their places go',
  Paid: 'did not pay'
};

/** Returns [{name, count, of, share, lost, why}]: the share of the first step, and who was lost before each. */
export function lossesOf(steps) {
  const known = steps.filter(({ count }) => count !== null && count !== undefined);
  return known.map((one, n) => {
    const lost = n > 0 ? Math.max(0, known[n - 1].count - one.count) : 0;
    return { ...one, share: known[0].count ? one.count / known[0].count : null, lost, why: lost ? WHY[one.name] : '' };
  });
}

// The figures of an event over time: since its sale started as the service keeps them, and on from there as they come.

import { useEffect, useRef, useState } from 'preact/hooks';
import { figuresOf, historyOf } from './acts.js';
import { every } from './every.js';

const EVERY_MS = 5000; // figures are made each ten seconds
const POINTS_MAX = 1200; // then every second one goes, the last stays

/** Of what a curve is drawn, with where it is in the figures. */
export const COLUMNS = {
  joined: (f) => f.room.joined,
  waiting: (f) => f.room.waiting,
  live: (f) => f.room.live,
  live_max: (f) => f.room.live_max,
  admitted_per_s: (f) => f.room.admitted_per_s,
  tau_s: (f) => f.gate.tau_s,
  held: (f) => f.seats.held,
  sold: (f) => f.seats.sold,
  tickets: (f) => f.sale.tickets,
  paid: (f) => f.sale.paid,
  revenue_minor: (f) => f.sale.revenue_minor,
  declined: (f) => f.sale.declined,
  failed: (f) => f.sale.failed,
  ended_unpaid: (f) => f.sale.ended_unpaid,
  refused_full: (f) => f.room.refused_full,
  flagged: (f) => f.desk.flagged,
  locked: (f) => f.desk.locked
};

export const emptySeries = () => ({ times: [], ...Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, []])) });

/** Returns the series with the figures at its end, once for each time at which figures were made. */
export function appended(series, figures) {
  const time = Date.parse(figures.at) / 1000;
  if (!(time > (series.times.at(-1) ?? 0))) return series;
  const next = { times: [...series.times, time] };
  for (const [name, of] of Object.entries(COLUMNS)) next[name] = [...series[name], of(figures) ?? null];
  return next.times.length > POINTS_MAX ? halved(next) : next;
}

function halved(series) {
  const last = series.times.length - 1;
  const kept = (_, n) => n % 2 === 0 || n === last;
  return Object.fromEntries(Object.entries(series).map(([name, values]) => [name, values.filter(kept)]));
}

/** Returns what the service keeps as a series; a column that it does not keep is empty. */
export function fromHistory(history) {
  const times = history?.at_s ?? [];
  const series = { times };
  for (const name of Object.keys(COLUMNS)) series[name] = history?.[name] ?? times.map(() => null);
  return series;
}

/** Returns by how much a column changed in the last minute; null where less than half a minute is known. */
export function perMinute(series, name) {
  const { times } = series;
  const last = times.length - 1;
  const from = times.findIndex((time) => time >= times[last] - 60);
  const [a, b] = [series[name]?.[from], series[name]?.[last]];
  const over = times[last] - times[from];
  return over >= 30 && a !== null && b !== null ? Math.round(((b - a) * 60) / over) : null;
}

/** Returns {figures, series, problem} of an event, renewed each five seconds while the page is seen. */
export function useFigures(event) {
  const [state, setState] = useState({ figures: null, series: emptySeries(), problem: null });
  const series = useRef(null);
  useEffect(() => {
    let over = false;
    const show = (made) => over || setState(made);
    const stop = every(EVERY_MS, async () => {
      try {
        series.current ??= fromHistory(await historyOf(event).catch(() => null)); // without it the curves begin now
        const figures = { ...(await figuresOf(event)), readAt: Date.now() };
        series.current = appended(series.current, figures);
        show({ figures, series: series.current, problem: null });
        return true;
      } catch (problem) {
        show((before) => ({ ...before, figures: olderOf(before.figures), problem }));
        return false;
      }
    });
    return () => {
      over = true;
      stop();
    };
  }, [event]);
  return state;
}

/** What was read stays, and grows older by this clock. */
function olderOf(figures) {
  if (!figures) return null;
  const now = Date.now();
  const at = new Date(Date.parse(figures.now) + now - figures.readAt).toISOString();
  return { ...figures, now: at, readAt: now };
}

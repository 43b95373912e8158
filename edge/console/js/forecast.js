// A kept forecast behind what happens: its curve at the times of the figures, and some way ahead.

import { count, rate, share } from './format.js';

const AHEAD_LEAST_S = 600;
const AHEAD_SHARE = 0.5; // of the time since the sale start
const CLOSE = 0.05;
const SEVERAL = 2;

const last = (values) => values.at(-1);

/** Returns a column's value so many seconds after the sale start, between two points; null outside of the curve. */
export function expectedAt(curve, column, offset) {
  const { offset_s: offsets } = curve;
  const values = curve[column] ?? [];
  const next = offsets.findIndex((one) => one >= offset);
  if (offset < 0 || next < 0) return null;
  const [from, to] = [values[Math.max(0, next - 1)], values[next]];
  if (from === null || from === undefined || to === null || to === undefined) return null;
  const over = offsets[next] - offsets[Math.max(0, next - 1)];
  return over > 0 ? from + ((to - from) * (offset - offsets[next - 1])) / over : to;
}

/**
 * Puts a forecast behind a series: {times, real(column), expected(column)}. Times go on beyond the last figure, where
 * only the forecast has values. Without a forecast `expected` is null.
 */
export function withForecast(series, forecast, startS) {
  const { times } = series;
  if (!forecast || times.length === 0) return { times, real: (column) => series[column], expected: () => null };
  const { curve } = forecast;
  const until = last(times) + Math.max(AHEAD_LEAST_S, (last(times) - startS) * AHEAD_SHARE);
  const ahead = curve.offset_s.map((one) => startS + one).filter((one) => one > last(times) && one <= until);
  const all = [...times, ...ahead];
  return {
    times: all,
    real: (column) => [...series[column], ...ahead.map(() => null)],
    expected: (column) => all.map((time) => expectedAt(curve, column, time - startS))
  };
}

const COMPARED = [
  ['waiting', 'wait', count],
  ['live', 'shop', count],
  ['admitted_per_s', 'are let in a second', rate]
];

/** Says how far what happens is from the forecast, by the last figures; an empty text where it has no value then. */
export function apart(series, forecast, startS) {
  if (!forecast || series.times.length === 0) return '';
  const offset = last(series.times) - startS;
  const parts = COMPARED.map(([column, words, write]) => {
    const expected = expectedAt(forecast.curve, column, offset);
    const real = last(series[column]);
    if (expected === null || real === null || real === undefined) return null;
    return `${write(real)} ${words}, forecast ${write(expected)}${farFrom(real, expected)}`;
  }).filter(Boolean);
  return parts.length > 0 ? `${parts.join('; ')}.` : '';
}

function farFrom(real, expected) {
  if (!expected || Math.abs(real - expected) <= CLOSE * expected) return '';
  if (real >= SEVERAL * expected) return ` (${rate(real / expected)} times as many)`;
  return ` (${share(Math.abs(real - expected), expected)} ${real > expected ? 'more' : 'fewer'})`;
}

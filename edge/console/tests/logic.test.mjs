import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appended, COLUMNS, emptySeries, fromHistory } from '../js/figures.js';
import { pauseAfter } from '../js/every.js';
import { ageS, count, money, rate, share, span, timed } from '../js/format.js';
import { placeOf as screenAt } from '../js/place.js';
import { placeOf, tauAt } from '../js/slider.js';

const figures = (second, waiting) => ({
  at: new Date(1_800_000_000_000 + second * 1000).toISOString(),
  room: { waiting },
  gate: {},
  seats: {},
  sale: {},
  desk: {}
});

test('a figure that is not known is never 0', () => {
  assert.deepEqual([null, undefined].map(count), ['–', '–']);
  assert.deepEqual([null, undefined].map(rate), ['–', '–']);
  assert.equal(money(null, 'EUR'), '–');
  assert.equal(share(1, 0), '–');
  assert.equal(span(null), '–');
  assert.equal(ageS(null), null);
});

test('times in a sentence of the service are written as all others', () => {
  const said = timed('5 from 2026-11-28T10:46:32.292Z to 2026-11-28T11:52Z entered.');
  assert.match(said, /^5 from \d+ Nov 2026, [\d:]{8} to \d+ Nov 2026, [\d:]{8} entered\.$/);
});

test('amounts have as many digits as their currency', () => {
  assert.deepEqual(
    [money(123456, 'EUR'), money(1234, 'JPY'), money(1234, 'KWD')].map((one) => one.replace(/\s/g, ' ')),
    ['€1,234.56', '¥1,234', 'KWD 1.234']
  );
});

test('a reading that fails is repeated ever more slowly, and never faster than one that succeeds', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 9].map((failures) => pauseAfter(5000, failures)),
    [5000, 10000, 20000, 30000, 30000]
  );
  assert.equal(pauseAfter(60000, 3), 60000);
});

test('the same figures are drawn once, and what is not known is a gap', () => {
  let series = emptySeries();
  for (const one of [figures(0, 5), figures(0, 5), figures(10, null), figures(5, 9)]) series = appended(series, one);
  assert.deepEqual(series.times, [1_800_000_000, 1_800_000_010]);
  assert.deepEqual(series.waiting, [5, null]);
});

test('a long sale keeps its first and its last figures', () => {
  let series = emptySeries();
  for (let n = 0; n <= 5000; n++) series = appended(series, figures(n * 10, n));
  assert.ok(series.times.length <= 1200);
  assert.deepEqual([series.waiting[0], series.waiting.at(-1)], [0, 5000]);
  for (const name of Object.keys(COLUMNS)) assert.equal(series[name].length, series.times.length);
});

test('a column that the service does not keep is empty', () => {
  const series = fromHistory({ at_s: [1_800_000_000], waiting: [3] });
  assert.deepEqual([series.waiting, series.held], [[3], [null]]);
  assert.deepEqual(fromHistory(null).times, []);
});

test('an address names a screen, also where it is not whole', () => {
  assert.deepEqual(screenAt(''), { page: 'events', rest: [] });
  assert.deepEqual(screenAt('#/e/gala'), { event: 'gala', tab: 'live', rest: [] });
  assert.deepEqual(screenAt('#/e/gala/orders/ord_1'), { event: 'gala', tab: 'orders', rest: ['ord_1'] });
  assert.deepEqual(screenAt('#/e/%zz/live').event, '%zz');
});

test('the slider reaches from a second to a day, and comes back to where it was', () => {
  for (const tau of [1, 20, 300, 5400, 86_000]) assert.equal(tauAt(placeOf(tau)), tau);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apart, expectedAt, withForecast } from '../js/forecast.js';
import { needsOfAlarms, needsOfFigures, PARTS, watchedBy } from '../js/needs.js';

const source = (of, more) => ({ of, state: 'read', why: '', watching: 3, without_data: 0, up: [], ...more });
const alarms = (...sources) => ({ at: '2027-01-15T08:00:00Z', sources });
const GATE = {
  name: 'GateErrors-e1',
  since: '2027-01-15T07:58:00Z',
  means: 'The gate fails.',
  do: 'see `fairgate doctor`'
};

test('an alarm that is up is told with its meaning and its next step', () => {
  const [need] = needsOfAlarms(alarms(source('service'), source('edge', { up: [GATE] })), null);
  assert.equal(need[0], 'bad');
  assert.match(need[1], /^Alarm GateErrors-e1, since /);
  assert.deepEqual(need.slice(2), ['see `fairgate doctor`', 'The gate fails.']);
});

test('alarms that cannot be read are unknown, and never quiet', () => {
  const unknown = alarms(source('service', { state: 'unknown', why: 'AWS refuses it.' }), source('edge'));
  assert.match(needsOfAlarms(unknown, null)[0][1], /service are not known: AWS refuses it\./);
  assert.equal(watchedBy(unknown), '3 alarms watch the edge.');
  assert.match(needsOfAlarms(null, { message: 'No answer.' })[0][1], /not known: No answer\./);
  assert.match(needsOfAlarms(alarms(source('service')), { message: 'No answer.' })[0][1], /those of .*: No answer\./);
  assert.deepEqual([needsOfAlarms(null, null), watchedBy(null)], [[], '']);
});

test('where nothing has alarms, that is said', () => {
  const none = alarms(source('service', { state: 'none', why: 'This machine has no alarms.' }));
  assert.deepEqual(needsOfAlarms(none, null), []);
  assert.equal(watchedBy(none), 'This machine has no alarms.');
});

test('what the figures show is told in order of the parts', () => {
  const parts = Object.fromEntries(Object.keys(PARTS).map((part) => [part, { error: '' }]));
  const figures = { ...parts, room: { error: 'The table is slow.', refused_full: 4 } };
  const said = needsOfFigures(figures, 5).map(([, text]) => text);
  assert.deepEqual(said, ['The waiting room: The table is slow.', '4 admitted buyers wait for capacity.']);
  assert.match(needsOfFigures(figures, 31)[0][1], /31 s old/);
});

test('a sale that stands still is said to sell out at no time', () => {
  const parts = Object.fromEntries(Object.keys(PARTS).map((part) => [part, { error: '' }]));
  const saidIn = (phase) =>
    needsOfFigures({ ...parts, gate: { phase }, sale: { sold_out_at: '2027-01-01T10:00:00Z' } }, 5).map(
      ([, text]) => text
    );
  assert.match(saidIn('admitting')[0], /^At this pace all is sold at/);
  assert.deepEqual(saidIn('closed'), []);
});

const CURVE = { offset_s: [0, 10, 20, 4000], waiting: [100, 80, 40, 0], live: [0, 5, null, 9] };

test('a forecast has values between its points, and none outside', () => {
  const at = (offset) => expectedAt(CURVE, 'waiting', offset);
  assert.deepEqual([at(-1), at(0), at(5), at(10), at(15), at(4001)], [null, 100, 90, 80, 60, null]);
  assert.equal(expectedAt(CURVE, 'live', 15), null);
  assert.equal(expectedAt(CURVE, 'sold', 15), null);
});

test('a forecast stands behind the figures, and some way ahead of them', () => {
  const series = { times: [990, 1000, 1005], waiting: [7, 90, 85], live: [0, 1, 2], admitted_per_s: [0, 1, null] };
  const behind = withForecast(series, { curve: CURVE }, 1000);
  assert.deepEqual(behind.times, [990, 1000, 1005, 1010, 1020]); // 5000 is beyond ten minutes
  assert.deepEqual(behind.real('waiting'), [7, 90, 85, null, null]);
  assert.deepEqual(behind.expected('waiting'), [null, 100, 90, 80, 40]);
  assert.equal(
    apart(series, { curve: CURVE }, 1000),
    '85 wait, forecast 90 (6% fewer); 2 shop, forecast 3 (20% fewer).'
  );
  const more = { ...series, waiting: [7, 90, 315] };
  assert.match(apart(more, { curve: CURVE }, 1000), /^315 wait, forecast 90 \(3.5 times as many\);/);
  const none = withForecast(series, null, 1000);
  assert.deepEqual([none.times, none.expected('waiting')], [series.times, null]);
  assert.equal(apart(series, null, 1000), '');
});

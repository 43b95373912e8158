import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace, renewalPauseMs, seldomMs, statePauseMs, untilPublished } from '../assets/js/pace.js';

test('looks come ever less often, and never more than four seconds apart', () => {
  const pace = new Pace();
  const pauses = Array.from({ length: 9 }, () => pace.next());
  assert.deepEqual(pauses.slice(0, 4), [500, 750, 1125, 1687.5]);
  assert.deepEqual(pauses.slice(-2), [4000, 4000]);
});

test('a page that waits seven minutes for a payment looks 110 times and not 280', () => {
  const pace = new Pace();
  let looks = 0;
  for (let ms = pace.next(); ms < 7 * 60_000; ms += pace.next()) looks += 1;
  assert.ok(looks < 110, `${looks}`);
});

test('it looks soon again once something has happened', () => {
  const pace = new Pace();
  for (let looks = 0; looks < 9; looks += 1) pace.next();
  pace.restart();
  assert.equal(pace.next(), 500);
});

test('a state is read every 15 to 21 seconds, and a crowd does not ask at once', () => {
  assert.deepEqual([statePauseMs(0), statePauseMs(1)], [15000, 21000]);
  const pauses = Array.from({ length: 200 }, () => statePauseMs());
  assert.ok(pauses.every((ms) => ms >= 15000 && ms <= 21000));
  assert.ok(Math.max(...pauses) - Math.min(...pauses) > 4000);
});

test('what is seldom new is asked for about once in its time, and not by all at once', () => {
  assert.equal(seldomMs(60_000, 0), 45_000);
  assert.equal(seldomMs(60_000, 0.5), 60_000);
  const pauses = new Set(Array.from({ length: 50 }, () => Math.round(seldomMs(60_000))));
  assert.ok(pauses.size > 40);
  for (const pause of pauses) assert.ok(pause >= 45_000 && pause <= 75_000);
});

test('a renewal that fails is tried ever less often, but more than once before the sign-in ends', () => {
  const HOUR_MS = 3_600_000;
  const pauses = [1, 2, 3, 4, 5, 9].map((failures) => renewalPauseMs(failures, HOUR_MS, 0, 0));
  assert.deepEqual(pauses, [30_000, 60_000, 120_000, 240_000, 480_000, 600_000]);
  assert.equal(renewalPauseMs(9, 400_000, 0, 0), 100_000); // a quarter of what is left
  assert.equal(renewalPauseMs(9, 1000, 0, 0), 15_000); // and no storm at its end
  assert.equal(renewalPauseMs(1, HOUR_MS, 0, 1), 45_000); // not all pages at once
});

test('a renewal is not tried before the service says, and not by all at once then', () => {
  assert.equal(renewalPauseMs(1, 60_000, 120_000, 0), 120_000);
  assert.equal(renewalPauseMs(1, 60_000, 120_000, 1), 180_000);
});

test('an event that is missing is looked for again, and once it is there it is shown', async () => {
  const missing = Object.assign(new Error(), { code: 'not-found' });
  const told = [];
  const answers = [missing, missing, 'event'];
  const load = async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const pauses = [];
  const pause = async (ms) => pauses.push(ms);
  assert.equal(await untilPublished(load, (error) => told.push(error), pause), 'event');
  assert.deepEqual([told, pauses.length], [[missing], 2]);
  let looks = 0;
  const never = async () => {
    looks += 1;
    throw missing;
  };
  await assert.rejects(
    untilPublished(never, () => {}, pause),
    missing
  );
  assert.equal(looks, 8);
  const other = new Error();
  const broken = async () => {
    throw other;
  };
  await assert.rejects(
    untilPublished(broken, () => assert.fail(), pause),
    other
  );
});

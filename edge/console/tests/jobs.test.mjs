import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lasted, lastWord, newest, pauseFor, sizeOf, stateOf } from '../js/jobs/words.js';

test('a job is asked for soon at first, then more seldom, and more seldom beside others', () => {
  assert.deepEqual(
    [pauseFor(0, 1), pauseFor(30_000, 1), pauseFor(30_000, 3), pauseFor(0, 0)],
    [2000, 5000, 15_000, 2000]
  );
});

test('what is said at the end is the outcome, and what a dry run does not', () => {
  const job = { act: 'books check', state: 'done', said: ['Ledger 1', '1 difference.'], failed: true };
  assert.equal(lastWord(job), 'Books check is done. 1 difference.');
  assert.deepEqual(stateOf(job), ['warn', 'Done: look at it']);
  const dry = { ...job, failed: false, dry_run: true, said: ['12 orders.', 'Dry run, nothing written.'] };
  assert.equal(lastWord(dry), 'Books check is tried. 12 orders.');
  assert.equal(stateOf(dry)[1], 'Tried, nothing changed');
  const refused = { ...job, state: 'failed', problem: { detail: 'The provider is away.' } };
  assert.equal(lastWord(refused), 'Books check was not done: The provider is away.');
});

test('the newest job of an act is shown, of those that count', () => {
  const one = (id, at, act = 'report', dry = false) => ({
    id,
    act,
    asked_at: `2027-01-01T10:0${at}:00Z`,
    dry_run: dry
  });
  const all = [one('a', 1), one('b', 3, 'books check'), one('c', 2), one('d', 4, 'report', true)];
  assert.equal(newest(all, 'report').id, 'd');
  assert.equal(newest(all, 'report', (job) => !job.dry_run).id, 'c');
  assert.equal(newest(all, 'audit check'), undefined);
});

test('lengths and sizes are written for people', () => {
  const at = (second) => `2027-01-01T10:00:${second}Z`;
  assert.equal(lasted({ started_at: at('00'), ended_at: at('42') }), '42 s');
  assert.equal(lasted({}), '');
  assert.deepEqual([0, 999, 1234567, 250_000_000].map(sizeOf), ['0 bytes', '999 bytes', '1.2 MB', '250 MB']);
});

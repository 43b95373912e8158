import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { nowMs, syncToEpoch, syncToHeaders } from '../assets/js/clock.js';

const HOUR_MS = 3_600_000;
const KEPT = ['public, max-age=31536000, immutable', 'public, max-age=0, s-maxage=5', 'private, no-cache', undefined];

const answer = (aheadMs, cacheControl) => {
  const headers = new Headers({ date: new Date(Date.now() + aheadMs).toUTCString() });
  if (cacheControl) headers.set('cache-control', cacheControl);
  return headers;
};
const aheadMs = () => Math.round((nowMs() - Date.now()) / 10_000) * 10_000 + 0; // never -0

beforeEach(() => syncToEpoch(Date.now() / 1000));

test('an answer that no cache keeps sets the clock, back as well as forward', () => {
  syncToHeaders(answer(2 * HOUR_MS, 'no-store'));
  assert.equal(aheadMs(), 2 * HOUR_MS);
  syncToHeaders(answer(-HOUR_MS, 'no-store'));
  assert.equal(aheadMs(), -HOUR_MS);
});

test('an answer that a cache may have kept never sets the clock back', () => {
  for (const kept of KEPT) {
    syncToHeaders(answer(-2 * HOUR_MS, kept));
    assert.equal(aheadMs(), 0, kept);
  }
});

test('a device that is behind what a cache kept is late for certain', () => {
  syncToHeaders(answer(HOUR_MS, KEPT[0]));
  assert.equal(aheadMs(), HOUR_MS);
});

test('a clock that is a minute off is set: a buyer would be late by it', () => {
  syncToHeaders(answer(60_000, 'no-store'));
  assert.equal(aheadMs(), 60_000);
});

test('what a slow line may have taken, or no date at all, changes nothing', () => {
  syncToHeaders(answer(-13_000, 'no-store'));
  syncToHeaders(new Headers({ 'cache-control': 'no-store', date: 'yesterday' }));
  syncToHeaders(new Headers({ 'cache-control': 'no-store' }));
  assert.equal(aheadMs(), 0);
});

test('a clock that is set back after a server told the time changes nothing; one that goes ahead has slept', () => {
  const now = Date.now;
  const told = now() - 3 * HOUR_MS;
  syncToHeaders(answer(-3 * HOUR_MS, 'no-store')); // this device is three hours ahead
  const off = () => Math.abs(Math.round((nowMs() - told) / 10_000) * 10_000);
  try {
    Date.now = () => now() - 3 * HOUR_MS; // and is set right
    assert.equal(off(), 0);
    Date.now = () => now() + 2 * HOUR_MS;
    assert.equal(off(), 2 * HOUR_MS);
  } finally {
    Date.now = now;
  }
});

// Events are found by words, city, kind and day, a page at a time; those of the past are apart.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choicesOf, cityOf, find, indexOf, PAGE_EVENTS } from '../assets/js/find-events.js';
import { localised } from '../assets/js/localised.js';

const NOW = Date.parse('2027-06-01T12:00:00Z');

const event = (id, facts = {}) => ({
  event: id,
  state: 'open',
  name: id,
  sale_starts_at: '2027-01-01T10:00:00.000Z',
  starts_at: '2027-07-01T20:00:00.000Z',
  ...facts
});
const found = (events, wanted) => find(indexOf(events), wanted, NOW).events.map((one) => one.event);

test('the city stands after the street, beside the post code', () => {
  const cities = {
    '1 Hall Street, Vienna': 'Vienna',
    '1 Hall Street, 1010 Vienna, Austria': 'Vienna',
    'Haus 4, Kai 1, 20457 Hamburg': 'Hamburg',
    '8 Quay, London N1 9GU': 'London',
    '12 Main Street, St. Louis, MO 63101': 'St. Louis',
    'The Hall': '',
    '': ''
  };
  for (const [address, city] of Object.entries(cities)) assert.equal(cityOf(address), city, address);
  assert.equal(cityOf(null), '');
});

test('every word occurs, without case and accents, in any of the names', () => {
  const events = [
    event('a', { name: 'Été à Paris', artist: 'The Band', venue: 'Grand Hall' }),
    event('b', { name: 'Band night' })
  ];
  assert.deepEqual(found(events, { text: 'ete BAND' }), ['a']);
  assert.deepEqual(found(events, { text: ' band ' }), ['a', 'b']);
  assert.deepEqual(found(events, { text: 'hall night' }), []);
});

test('a link makes no longer search than a visitor can type', () => {
  const text = `${'band '.repeat(16)} ${'nowhere '.repeat(200_000)}`;
  assert.deepEqual(found([event('a', { name: 'Band night' })], { text }), ['a']);
});

test('letters that only look other are the same', () => {
  const events = [event('a', { name: 'Große Nacht', venue_address: 'Piotrkowska 1, 90-001 Łódź' })];
  for (const text of ['GROSSE', 'lodz', 'Ｌｏｄｚ']) assert.deepEqual(found(events, { text }), ['a'], text);
});

test('an event is found by its name in any of its languages', () => {
  const sommer = event('a', { name: 'Sommernacht', language: 'de', translations: { en: { name: 'Summer Night' } } });
  for (const language of ['de', 'en', 'fr']) {
    for (const text of ['sommer', 'summer']) assert.deepEqual(found([localised(sommer, language)], { text }), ['a']);
  }
});

test('city, kind and days narrow; a day is the one of the event', () => {
  const late = { starts_at: '2027-07-01T23:30:00.000Z' };
  const events = [
    event('wien', { ...late, time_zone: 'Europe/Vienna', venue_address: 'Ring 1, 1010 Wien', category: 'concert' }),
    event('york', { ...late, time_zone: 'America/New_York', venue_address: '1 Road, York', category: 'sport' }),
    event('undated', { starts_at: null })
  ];
  assert.deepEqual(choicesOf(indexOf(events)), { city: ['Wien', 'York'], category: ['concert', 'sport'] });
  assert.deepEqual(found(events, { city: 'York' }), ['york']);
  assert.deepEqual(found(events, { category: 'concert' }), ['wien']);
  assert.deepEqual(found(events, { from: '2027-07-02' }), ['wien']);
  assert.deepEqual(found(events, { to: '2027-07-01' }), ['york']);
});

test('events of the past are apart, the latest first', () => {
  const events = [
    event('long ago', { starts_at: '2027-05-01T20:00:00.000Z' }),
    event('soon', { starts_at: '2027-06-02T20:00:00.000Z' }),
    event('later'),
    event('yesterday', { starts_at: '2027-05-31T20:00:00.000Z' }),
    event('ended', { starts_at: null, state: 'closed' })
  ];
  assert.deepEqual(found(events, {}), ['soon', 'later']);
  assert.deepEqual(found(events, { past: '1' }), ['yesterday', 'long ago', 'ended']);
});

test('three thousand events have pages, and no number leads beside them', () => {
  const events = Array.from({ length: 3000 }, (_, n) => event(`e${String(n).padStart(4, '0')}`));
  const index = indexOf(events);
  const pages = Math.ceil(3000 / PAGE_EVENTS);
  assert.deepEqual(
    ['', '2', '999', '-1', 'x', '1.5'].map((page) => find(index, { page }, NOW).page),
    [1, 2, pages, 1, 1, 1]
  );
  const all = Array.from({ length: pages }, (_, n) => find(index, { page: n + 1 }, NOW).events).flat();
  assert.equal(new Set(all.map((one) => one.event)).size, 3000);
  assert.equal(find(index, {}, NOW).count, 3000);
});

// An event is shown in the reader's language, as far as its organiser has said it in that.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localised } from '../assets/js/localised.js';

const event = {
  name: 'Sommernacht',
  text: 'Einlass um sieben.',
  category: 'Konzert',
  venue: 'Der Saal',
  language: 'de',
  sale_starts_at: '2027-01-01T10:00:00.000Z',
  tiers: [
    { id: 'front', name: 'Vorne', price_minor: 4500 },
    { id: 'back', name: 'Hinten', price_minor: 2500 }
  ],
  translations: { en: { name: 'Summer Night', text: null, tiers: { front: 'Front' } }, de: { name: 'Nie' } }
};

test('what is said in the language takes the place of the texts, and nothing else does', () => {
  const shown = localised(event, 'en');
  assert.equal(shown.name, 'Summer Night');
  assert.equal(shown.text, 'Einlass um sieben.');
  assert.equal(shown.category, 'Konzert');
  assert.equal(shown.venue, 'Der Saal');
  assert.deepEqual(shown.tiers, [
    { id: 'front', name: 'Front', price_minor: 4500 },
    { id: 'back', name: 'Hinten', price_minor: 2500 }
  ]);
});

test('in its own language, and in one that nothing is said in, it is as it is', () => {
  assert.equal(localised(event, 'de'), event);
  assert.equal(localised(event, 'ja'), event);
  const former = { name: 'Gala', tiers: [] }; // of a service that knows no languages
  assert.equal(localised(former, 'de'), former);
});

test('an event of the list has no tiers', () => {
  assert.equal(localised({ ...event, tiers: undefined }, 'en').tiers, undefined);
});

test('a tier of any id has its name, also one that every object has', () => {
  const tiers = [{ id: 'constructor', name: 'Baumeister', price_minor: 4500 }];
  assert.deepEqual(localised({ ...event, tiers }, 'en').tiers, tiers);
});

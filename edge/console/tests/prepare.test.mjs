import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesOf } from '../js/files.js';
import { absentOf, defaultOf, fits, hintOf, read } from '../js/kinds.js';
import { advised } from '../js/prepare/advised.js';
import { contrast, letterOn } from '../js/prepare/colors.js';
import { argumentsOf, changesOf, localIn, utcOf } from '../js/prepare/given.js';
import { amountOf, bpOf, ifAllIsSold, minorOf, rankedRows, rateOf, vatIn, wholePrices } from '../js/prepare/prices.js';
import { groupsOf, idOf, STEPS, stepOf } from '../js/prepare/steps.js';

const AMOUNT = { type: ['string', 'number'], pattern: '^(?:[0-9]{1,12}(\\.[0-9]{1,4})?)$' };
const PROPERTIES = {
  event: { type: 'string' },
  name: { type: 'string' },
  subtitle: { type: 'string', description: 'line under the name' },
  cancel_until: {
    type: 'string',
    description: "buyers may cancel until then, in the event's time zone; default never"
  },
  card_limit: { type: 'integer' },
  ask_address: { type: 'boolean' },
  price: { type: 'object', additionalProperties: AMOUNT },
  backoff_s: { type: 'array', minItems: 2, maxItems: 2, items: AMOUNT },
  translations: { type: 'object', additionalProperties: { type: 'object' } },
  logo: { type: 'string' },
  pow: { type: 'integer', description: 'difficulty of the proof of work (default: 16)' }
};

test('every field that an act takes is in one step, what no step names under all fields', () => {
  const shown = STEPS.flatMap((step) => groupsOf(step, PROPERTIES)).flatMap(([, names]) => names);
  const own = ['price', 'logo']; // with controls of their own
  assert.deepEqual([...shown, ...own].sort(), Object.keys(PROPERTIES).sort());
  assert.deepEqual(groupsOf(STEPS.at(-2), PROPERTIES), [['All other fields', ['backoff_s', 'translations', 'pow']]]);
});

test('a draft gives the act what was typed, and nothing of what was not', () => {
  const values = { name: 'Gala', subtitle: '', card_limit: '4', price: { front: '45', back: '' }, backoff_s: '2 60' };
  const given = argumentsOf('event create', PROPERTIES, { ...values, translations: '{"de": {"name": "G"}}' });
  assert.deepEqual(given, {
    name: 'Gala',
    card_limit: 4,
    price: { front: '45' },
    backoff_s: ['2', '60'],
    translations: { de: { name: 'G' } }
  });
});

test('of a form only the changes are sent, and what is emptied says so', () => {
  const before = { name: 'Gala', subtitle: 'Late', cancel_until: '2030-01-01T00:00', ask_address: true, card_limit: 4 };
  const priced = { ...before, price: { front: '45.00', back: '20.00' } };
  assert.deepEqual(changesOf('event edit', PROPERTIES, priced, priced), {});
  const values = { ...priced, subtitle: '', cancel_until: '', ask_address: false, card_limit: '' };
  assert.deepEqual(changesOf('event edit', PROPERTIES, priced, { ...values, price: { front: '45.00', back: '21' } }), {
    subtitle: '',
    cancel_until: 'never',
    ask_address: false,
    card_limit: 0,
    price: { back: '21' }
  });
});

test('buyers read the price with its fee, exactly', () => {
  const tiers = [{ id: 'front', name: 'Front', seats: 3, area_places: 0 }];
  const rows = wholePrices(tiers, { price: { front: '0.10' }, fee_ticket: '0.2' }, 2);
  assert.deepEqual([rows[0].whole, ifAllIsSold(rows)], [30, 30]);
  assert.equal(wholePrices(tiers, { price: { front: '1.005' } }, 2)[0].whole, null);
  assert.equal(ifAllIsSold(wholePrices(tiers, {}, 2)), null);
  assert.deepEqual([minorOf('45', 0), minorOf('1.234', 3), minorOf('45.0', 0), minorOf('-1', 2)], [45, 1234, 45, null]);
  assert.deepEqual(
    [amountOf(4550, 2), amountOf(5, 2), amountOf(45, 0), rateOf(1950)],
    ['45.50', '0.05', '45', '19.5%']
  );
});

test('the VAT in a price is that of an order: of price and fee, rounded once a rate', () => {
  assert.equal(vatIn(Array(3).fill([10, 1900])), 5);
  const tiers = [{ id: 'front', name: 'Front', seats: 3, area_places: 0 }];
  const vatOf = (values) => wholePrices(tiers, { price_all: '90', fee_ticket: '1.50', ...values }, 2)[0].vat;
  assert.deepEqual(
    [vatOf({}), vatOf({ vat_all: '7%' }), vatOf({ vat: { front: '7' }, vat_all: '19%' })],
    [0, 599, 613]
  );
  assert.deepEqual([vatOf({ vat_all: '7%', vat_fees: '19%' }), vatOf({ vat_all: 'x' })], [613, null]);
  assert.deepEqual(['19%', '7.25 %', '100', '', '101', '-1'].map(bpOf), [1900, 725, 10000, null, null, null]);
});

test('the dearest tier has the first colour, one without a price the last', () => {
  const rows = rankedRows([{ whole: 30 }, { whole: null }, { whole: 90 }, { whole: null }]);
  assert.deepEqual(
    rows.map(({ rank }) => rank),
    [1, 2, 0, 3]
  );
});

test('an amount that cannot be read is told before it is sent', () => {
  assert.deepEqual(
    ['45.00', '', '45,00', 'x'].map((text) => fits(AMOUNT, text)),
    [true, true, false, false]
  );
});

test('a moment is shown by the clocks of the event', () => {
  assert.equal(localIn('Europe/Berlin', '2030-12-13T19:00:00.000Z'), '2030-12-13T20:00');
  assert.equal(localIn('', '2030-12-13T19:00:30.000Z'), '2030-12-13T19:00:30');
  assert.equal(localIn('Europe/Berlin', ''), '');
});

test('an event without a date has its times in UTC, which are those of the zone that was typed', () => {
  assert.equal(utcOf('Europe/Berlin', '2030-07-01T10:00'), '2030-07-01T08:00:00Z');
  assert.equal(utcOf('America/New_York', '2030-12-13T20:00'), '2030-12-14T01:00:00Z');
  const properties = { ...PROPERTIES, time_zone: { type: 'string' }, starts_at: { type: 'string' } };
  const values = { time_zone: 'Europe/Berlin', cancel_until: '2030-07-01T10:00' };
  const given = (more) => argumentsOf('event create', properties, { ...values, ...more });
  assert.deepEqual(given({}), { cancel_until: '2030-07-01T08:00:00Z' });
  assert.deepEqual(given({ starts_at: '2030-08-01T20:00' }), { ...values, starts_at: '2030-08-01T20:00' });
});

test('what an argument says of itself is said once', () => {
  assert.equal(defaultOf(PROPERTIES.pow), '16');
  assert.equal(absentOf(PROPERTIES.cancel_until), 'never');
  assert.equal(hintOf({ description: "venue's address" }, 'Address of the venue', String), '');
  const several = hintOf({ description: 'on invoices, which need all --seller… options' }, 'Name', String);
  assert.equal(several, 'on invoices, which need all fields of the seller');
  const named = hintOf({ description: 'accents; needs --color-1' }, 'Accents', (name) => `<${name}>`);
  assert.equal(named, 'accents; needs “<color_1>”');
});

test('a field has one step', () => {
  assert.deepEqual(
    ['cancel_until', 'name', 'price', 'pow'].map((name) => stepOf(name).step),
    ['terms', 'event', 'prices', 'all']
  );
});

test('an id follows a name, as addresses have it', () => {
  assert.equal(idOf('  Frühlingsgala 2031! '), 'fruhlingsgala-2031');
  assert.ok(idOf('ab '.repeat(30)).length <= 40);
});

test('two files of one name are two in a request', () => {
  assert.deepEqual(namesOf({ logo: { name: 'a.png' }, picture: { name: 'a.png' } }), {
    logo: 'a.png',
    picture: 'picture-a.png'
  });
});

test('letters on a colour can be read', () => {
  assert.deepEqual(['#0e5560', '#d8a511', '#ffffff'].map(letterOn), ['#ffffff', '#15181d', '#15181d']);
  assert.equal(Math.round(contrast('#ffffff', '#000000')), 21);
});

test('a number that is none goes as it is, so that the act says what is wrong', () => {
  assert.equal(read('card_limit', PROPERTIES.card_limit, 'many'), 'many');
});

test('an advice names the screen that does the same as its command', () => {
  assert.deepEqual(advised('Wait; else `fairgate event resume gala`, or `fairgate cache rebuild gala`.'), [
    { text: 'Wait; else ' },
    { command: 'fairgate event resume gala', screen: 'steer' },
    { text: ', or ' },
    { command: 'fairgate cache rebuild gala', screen: undefined },
    { text: '.' }
  ]);
});

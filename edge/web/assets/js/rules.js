// The rules of an event's sale in plain words: how the draw works, what to have ready, the limits, what gains nothing,
// and how the draw can be checked afterwards.

import { requirements } from './eligibility.js';
import { h } from './dom.js';
import { dateText } from './format.js';
import { getEvent } from './operations.js';
import { limitTexts, readyTexts } from './ready.js';
import { say, sayWith } from './words.js';

const list = (texts) =>
  h(
    'ul',
    { class: 'hints' },
    texts.filter(Boolean).map((text) => h('li', {}, text))
  );

const GAINS = ['refresh', 'windows', 'line', 'robot'];

/** What gains nothing, and why. */
const gains = () =>
  h(
    'dl',
    { class: 'gains' },
    GAINS.map((one) => h('div', {}, h('dt', {}, say(`rules-${one}`)), h('dd', {}, say(`rules-${one}-why`))))
  );

/** How anybody checks the draw: by what was published before it, and by the key after the sale. */
function proof(event) {
  const { draw_commitment: commitment, draw_key_revealed: key, draw_beacon: beacon } = event;
  const code = (text) => h('code', { dir: 'ltr' }, text);
  const data = h('a', { href: getEvent(event.event).path }, say('rules-proof-data'));
  return [
    commitment && h('p', {}, sayWith('rules-proof-before', { commitment: code(commitment) })),
    beacon && h('p', {}, sayWith('rules-proof-beacon', { source: h('bdi', {}, beacon.source) })),
    h('p', {}, key ? sayWith('rules-proof-key', { key: code(key) }) : say('rules-proof-after')),
    h('p', {}, data)
  ];
}

/** Returns the rules as sections, each under a heading of this level; `waiting`: what to have ready stands beside. */
export function rulesOf(event, level, { waiting = false } = {}) {
  const date = event.sale_ends_at && dateText(event.sale_ends_at, event.time_zone);
  const section = (id, ...content) => h('section', {}, h(level, {}, say(id)), ...content);
  const draw = ['rules-draw-start', 'rules-draw-number', 'rules-draw-late', 'rules-draw-pace'].map((id) => say(id));
  const limits = [...limitTexts(event), event.avoid_single_seats && say('rules-single-seat')];
  return [
    section('rules-draw', list(draw)),
    !waiting && section('ready-title', list([say('rules-sign-in'), ...readyTexts(event)])),
    section('rules-limits', list([...limits, ...requirements(event), date && say('news-sale-ends', { date })])),
    section('rules-gains', gains()),
    section('rules-proof', proof(event))
  ];
}

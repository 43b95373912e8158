// Beside the waiting room: what to have ready, and the prices, with those of which nothing is free.

import { loadVenue } from './catalog.js';
import { h, notice, show } from './dom.js';
import { money, timeText } from './format.js';
import { loaded } from './late.js';
import { rankedTiers, swatch } from './map/tiers.js';
import { limitTexts, readyTexts } from './ready.js';
import { readyWords, say } from './words.js';

/**
 * Returns the ids of the tiers of which nothing is free. Counts are of a section, which may have several tiers: one
 * is named where all of its sections and areas are empty, so that none is called gone that is not.
 */
export function emptyTiers(venue, { sections = {}, areas = {} }) {
  const places = [
    ...venue.sections.map(({ id, tiers = [] }) => [sections[id], tiers]),
    ...(venue.areas || []).map(({ id, tier }) => [areas[id], [tier]])
  ];
  const empty = new Set(places.flatMap(([, tiers]) => tiers));
  for (const [count, tiers] of places) {
    if (count?.available !== 0) for (const tier of tiers) empty.delete(tier);
  }
  return empty;
}

/** What a buyer should have at hand when their turn comes; an event that could not be read says less. */
function ready(event, signal) {
  const texts = [say('ready-sign-in'), ...readyTexts(event), ...limitTexts(event)];
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, say('ready-title')),
    h(
      'ul',
      { class: 'hints' },
      texts.filter(Boolean).map((text) => h('li', {}, text))
    ),
    event.tiers && rules(event, signal)
  );
}

/** The rules, loaded when they are unfolded: who reads them stays in the room. */
function rules(event, signal) {
  const place = h('div', { class: 'rules' });
  const box = h('details', {}, h('summary', {}, say('event-rules')), place);
  box.addEventListener('toggle', async () => {
    if (!box.open || place.querySelector('section')) return;
    try {
      const [{ rulesOf }] = await Promise.all([loaded(() => import('./rules.js'), signal), readyWords('rules')]);
      show(place, rulesOf(event, 'h3', { waiting: true }));
    } catch {
      show(place, notice('warn', say('problem-offline')));
    }
  });
  return box;
}

export class RoomBeside {
  constructor(event, signal) {
    this.event = event;
    this.prices = h('ul', { class: 'prices' });
    this.asOf = h('p', { class: 'dim small' });
    // The prices come last: what they say of free places moves nothing but the footer.
    const prices =
      event.tiers && h('section', { class: 'card' }, h('h2', {}, say('event-prices')), this.prices, this.asOf);
    this.element = h('aside', { class: 'beside' }, ready(event, signal), prices);
    if (event.tiers) this.draw(new Set());
  }

  draw(empty) {
    const line = (tier) => {
      const gone = empty.has(tier.id) && h('small', {}, say('area-none-left'));
      const price = money(tier.whole_minor, this.event.currency);
      return h(
        'li',
        { class: gone && 'gone' },
        swatch(tier),
        h('span', {}, h('bdi', {}, tier.name), gone),
        h('b', {}, price)
      );
    };
    show(this.prices, [...rankedTiers(this.event).values()].map(line));
  }

  /** Shows what was free when it was counted. */
  async update(counts) {
    if (!this.event.tiers) return;
    this.draw(emptyTiers(await loadVenue(this.event), counts));
    this.asOf.textContent = say('room-as-of', { time: timeText(counts.as_of) });
  }
}

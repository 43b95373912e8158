// Beside the waiting room: what to have ready, and the prices, with those of which nothing is free.

import { loadVenue } from './catalog.js';
import { h, show } from './dom.js';
import { durationText, money, timeText } from './format.js';
import { rankedTiers, swatch } from './map/tiers.js';
import { say } from './words.js';

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
function ready(event) {
  const { user_limit: limit, session_s: choose, checkout_s: pay } = event;
  const texts = [
    say('ready-sign-in'),
    say('ready-pay'),
    event.ask_address && say('ready-address'),
    say('ready-wishes'),
    limit && say('ready-limit', { limit }),
    choose && pay && say('ready-times', { choose: durationText(choose), pay: durationText(pay) })
  ];
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, say('ready-title')),
    h(
      'ul',
      { class: 'hints' },
      texts.filter(Boolean).map((text) => h('li', {}, text))
    )
  );
}

export class RoomBeside {
  constructor(event) {
    this.event = event;
    this.prices = h('ul', { class: 'prices' });
    this.asOf = h('p', { class: 'dim small' });
    // The prices come last: what they say of free places moves nothing but the footer.
    const prices =
      event.tiers && h('section', { class: 'card' }, h('h2', {}, say('event-prices')), this.prices, this.asOf);
    this.element = h('aside', { class: 'beside' }, ready(event), prices);
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

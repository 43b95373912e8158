// The prices of an event, as the map and the lists beside it show them.

import { h } from '../dom.js';

export const COLOURS = 8; // what is cheaper than the eighth tier shares its colour

/** Sorts an event's tiers, dearest first: Map of id → {…tier, rank, colour}, `colour` from 0 to 7. */
export function rankedTiers(event) {
  const sorted = [...event.tiers].sort((a, b) => b.whole_minor - a.whole_minor);
  return new Map(sorted.map((tier, rank) => [tier.id, { ...tier, rank, colour: Math.min(rank, COLOURS - 1) }]));
}

/** The swatch of a tier's colour on the map. */
export const swatch = ({ colour }) => h('span', { class: `swatch tier-${colour + 1}`, 'aria-hidden': 'true' });

// What of a venue is chosen before a seat: sections and areas, each with its outline and what is left of it.

import { placeName } from '../catalog.js';
import { money } from '../format.js';
import { middle } from '../outline.js';
import { say } from '../words.js';
import { boxOf } from './camera.js';

const FEW = 0.1;
const MANY = 0.5;

/** Lists the sections and areas of venue.json; `left` is unknown until `updatePlaces`. */
export function placesOfVenue(venue) {
  const place = (kind, { id, name, outline, focalPoint }, total, tiers) => {
    const short = name || id;
    const title = kind === 'section' ? placeName(short) : short;
    return {
      kind,
      id,
      name: title,
      short,
      outline,
      total,
      tiers,
      focalPoint,
      box: boxOf(outline),
      middle: middle(outline)
    };
  };
  return [
    ...venue.sections.map((section) => place('section', section, section.seats, section.tiers || [])),
    ...(venue.areas || []).map((area) => place('area', area, area.capacity, [area.tier]))
  ];
}

/** Takes over the counts of availability. */
export function updatePlaces(places, counts) {
  for (const place of places) {
    const known = (place.kind === 'section' ? counts.sections : counts.areas)?.[place.id];
    if (!known) continue;
    place.left = known.available;
    place.total = known.total ?? known.capacity;
  }
}

/** Says in a word how much is left: unknown, none, few, some or many. */
export function levelOf({ left, total }) {
  if (left === undefined || !total) return 'unknown';
  if (left <= 0) return 'none';
  const share = left / total;
  return share < FEW ? 'few' : share < MANY ? 'some' : 'many';
}

export function leftText({ kind, left }) {
  if (left === undefined) return '';
  if (!left) return say('map-none-left');
  return say(kind === 'section' ? 'map-seats-left' : 'map-places-left', { count: left });
}

/** Writes the prices of tiers: 'from €45' or the one price; '' without any. */
export function priceText(tiers, currency) {
  const minors = tiers.map((tier) => tier.whole_minor);
  if (!minors.length) return '';
  const low = money(Math.min(...minors), currency);
  return minors.every((minor) => minor === minors[0]) ? low : say('map-from-price', { price: low });
}

/** Names what the buyers of a section look at: a shape around its focal point, else its zone's name; '' if none. */
export function focusName(venue, section, holds) {
  const point = section?.focalPoint || venue.focalPoint;
  const at = point && { x: point[0] ?? point.x, y: point[1] ?? point.y };
  if (!at) return null;
  const stage = (venue.shapes || []).filter((shape) => shape.name && shape.kind !== 'other');
  const around = stage.find((shape) => holds(shape.outline, at.x, at.y)) || (stage.length === 1 && stage[0]);
  const zone = (venue.zones || []).find((one) => one.id === section?.zone);
  return { ...at, name: around?.name || zone?.name || '' };
}

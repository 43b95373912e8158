// The place of a person in an event's waiting room, as this device keeps it.

import { isWhole } from './answers.js';
import { knownSub } from './auth.js';
import { device } from './store.js';

const placeKey = (event, sub) => `place:${event}:${sub}`;

/** Keeps a person's place; null lets go of it. */
export const keepPlace = (event, sub, place) => device.set(placeKey(event, sub), place);

/** Returns the place of a person that this device keeps, or null; one that is not whole is let go of. */
export function keptPlace(event, sub) {
  const place = device.get(placeKey(event, sub));
  if (place === null || isWhole('Kept', place)) return place;
  keepPlace(event, sub, null);
  return null;
}

export const savedPlace = (event) => knownSub() && keptPlace(event, knownSub());
export const leavePlace = (event) => knownSub() && keepPlace(event, knownSub(), null);

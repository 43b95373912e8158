// What is meant by a point of the screen: the nearest thing within a finger's reach.

import { edgeDistance, inside } from '../outline.js';
import { TAKEN } from './scene.js';

const FINGER_PX = 22; // half of the 44 px that a finger needs

/**
 * Returns the nearest seat, also from right between four, or -1; of two under one finger, the one that can be had.
 * `reach` in spacings.
 */
export function seatAt({ scene, camera }, at, reach = 0) {
  const { x, y } = camera.toDrawing(at.x, at.y);
  const far = reach ? reach * scene.pitch : Math.max(FINGER_PX / camera.scale, scene.pitch * 0.75);
  return scene.grid.nearest(x, y, far, (i) => (scene.state[i] === TAKEN ? scene.pitch * 0.3 : 0));
}

/**
 * Returns the places that a point may mean: the one that it lies in, else the nearest. More than one where several
 * are so near and so small that a finger cannot tell.
 */
export function targetAt({ places, camera }, at, reachPx = FINGER_PX) {
  const { x, y } = camera.toDrawing(at.x, at.y);
  const near = [];
  for (const place of places) {
    const { x0, y0, x1, y1 } = place.box;
    const reach = reachPx / camera.scale;
    if (x < x0 - reach || x > x1 + reach || y < y0 - reach || y > y1 + reach) continue;
    const within = inside(place.outline, x, y);
    const away = within ? 0 : edgeDistance(place.outline, x, y) * camera.scale;
    const size = Math.min(x1 - x0, y1 - y0) * camera.scale;
    if (away <= reachPx) near.push({ place, away, within, clear: within && size >= 2 * FINGER_PX });
  }
  near.sort((a, b) => a.away - b.away);
  if (!near.length) return [];
  if (reachPx !== FINGER_PX || near[0].clear || near.length === 1) return [near[0].place];
  return near.map(({ place }) => place);
}

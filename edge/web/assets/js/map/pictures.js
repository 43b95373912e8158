// Where all seats are: seats.json, or the same from the files of the sections where there is no such file. And the
// picture below the chart.

import { files, get } from '../api.js';
import { loadSection } from '../catalog.js';

/** Loads the sections of seats.json. */
export async function loadPictures(event, venue) {
  try {
    return (await get(files.seats(event.layout))).sections;
  } catch {
    // A layout of a former release has no such file, and a static 404 is not told from another's answer.
  }
  const sections = await Promise.all(venue.sections.map((section) => loadSection(event, section.id)));
  const numbers = new Map(venue.tiers.map((tier, number) => [tier.id, number]));
  return sections.map((section) => pictureOf(section, numbers));
}

/** Loads the picture below the chart as an image. */
export async function loadBackground(event, signal) {
  return imageOf(await get(files.picture(event.layout), { signal }));
}

/** Makes an image of a picture in base64. */
export function imageOf({ webp }) {
  const bytes = Uint8Array.from(atob(webp), (letter) => letter.charCodeAt(0));
  return createImageBitmap(new Blob([bytes], { type: 'image/webp' }));
}

function steps(values) {
  let last = 0;
  return values.map((value) => {
    const whole = Math.round(value * 100);
    const change = whole - last;
    last = whole;
    return change;
  });
}

function pictureOf({ section, blocks, all }, tierNumbers) {
  const marked = (is) => all.flatMap((seat, i) => (is(seat) ? [i] : []));
  return {
    id: section,
    x: steps(all.map((seat) => seat.x)),
    y: steps(all.map((seat) => seat.y)),
    rows: blocks.flatMap((block) => block.rows.flatMap((row) => [row.name || row.id, row.seats.length])),
    tiers: all.flatMap((seat) => [tierNumbers.get(seat.tier), 1]),
    marks: {
      accessible: marked((seat) => seat.kind === 'accessible'),
      companion: marked((seat) => seat.kind === 'companion'),
      restricted: marked((seat) => seat.restrictedView),
      whole: marked((seat) => seat.unit)
    }
  };
}

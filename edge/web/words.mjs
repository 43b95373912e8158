// Reads the words of the pages: words/<language>/<area>.ftl, by Project Fluent.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FluentResource } from '@fluent/bundle/esm/resource.js';

// What has a part of its own: the words of the first page, of the map, and of the rules, which few read.
const ALONE = ['first', 'map', 'rules'];
// French has blanks at its signs, which may not end a line.
const AT_SIGNS = / (?=[?!:;»])|(?<=«) /g;

/** Lists the areas of English, which has all of them. */
export const areasOf = (folder) =>
  readdirSync(join(folder, 'en'))
    .map((name) => name.replace(/\.ftl$/, ''))
    .sort();

/** Returns the parts in which the words come, [part, areas] each. */
export function partsOf(folder) {
  const areas = areasOf(folder);
  const alone = ALONE.filter((area) => areas.includes(area)).map((area) => [area, [area]]);
  return [...alone, ['later', areas.filter((area) => !ALONE.includes(area))]];
}

/** Reads a file's messages; throws for one that is not Fluent: its parser passes over what it does not know. */
export function messagesIn(path) {
  const text = readFileSync(path, 'utf8').replace(AT_SIGNS, '\u00a0');
  const { body } = new FluentResource(text);
  const begun = text.match(/^[\w-]+(?= *=)/gm) ?? [];
  const lost = begun.filter((id, i) => body.filter((one) => one.id === id).length !== 1 || begun.indexOf(id) !== i);
  const stray = text.split('\n').filter((line) => !/^($|#|[\w-]+ =|[ }])/.test(line));
  if (lost.length || stray.length) throw new Error(`${path}: no Fluent messages: ${[...lost, ...stray].join(', ')}`);
  return body;
}

/** Returns the messages of some areas in a language; those of an area that it does not have yet are English. */
export function messagesOf(folder, language, areas) {
  const own = (area) => join(folder, language, `${area}.ftl`);
  const pathOf = (area) => (existsSync(own(area)) ? own(area) : join(folder, 'en', `${area}.ftl`));
  return areas.flatMap((area) => messagesIn(pathOf(area)));
}

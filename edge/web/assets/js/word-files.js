// The words as the sources have them. build.mjs puts another module in the place of this one: there a language's areas
// are joined to a file a part, which is read already.

import { FluentResource } from '@fluent/bundle/esm/resource.js';

const PARTS = { first: ['first'], later: ['room', 'order'], map: ['map'], rules: ['rules'] };

async function messagesIn(language, area) {
  const answer = await fetch(new URL(`../../words/${language}/${area}.ftl`, import.meta.url));
  return answer.ok ? new FluentResource(await answer.text()).body : [];
}

/** Loads the messages of a part of a language's words. */
export async function load(language, part) {
  return (await Promise.all(PARTS[part].map((area) => messagesIn(language, area)))).flat();
}

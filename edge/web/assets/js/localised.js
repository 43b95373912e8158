// An event in the reader's language, as far as its organiser has said it in that. Pure: the tests run it in Node.

const TEXTS = ['name', 'subtitle', 'category', 'text', 'travel'];

/**
 * Returns the event with its texts and names of tiers in `language`, else in its own, as
 * service/shared/localised.py does; `own` keeps what it is called in its own. Places and seats keep their names.
 */
export function localised(event, language) {
  const told = language === event.language ? undefined : event.translations?.[language];
  if (!told) return event;
  const texts = TEXTS.filter((name) => told[name]).map((name) => [name, told[name]]);
  const names = new Map(Object.entries(told.tiers || {})); // an id may be `constructor`
  const named = (tier) => ({ ...tier, name: names.get(tier.id) || tier.name });
  const tiers = event.tiers && { tiers: event.tiers.map(named) };
  return { ...event, ...Object.fromEntries(texts), ...tiers, own: { name: event.name, subtitle: event.subtitle } };
}

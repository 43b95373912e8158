// What an answer must be to be the service's own. Something in a network may answer in its place: a hotel's page to
// sign in, a firewall's challenge, half a file. All that is an interrupted line, and never an answer.

const POW_BITS_MAX = 40; // beyond what a device can do in a sale

const text = (value) => typeof value === 'string' && value !== '';
const word = (value) => text(value) && /^[\x21-\x7e]+$/.test(value); // as a header carries it
const time = (value) => text(value) && Number.isFinite(Date.parse(value));
const number = Number.isFinite;
const orNone = (test) => (value) => value === null || value === undefined || test(value);
const object = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const has = (members) => (value) => object(value) && Object.entries(members).every(([name, test]) => test(value[name]));
const list = (test) => (value) => Array.isArray(value) && value.every(test);

const challenge = has({ ch: word, pow: (bits) => number(bits) && bits >= 0 && bits <= POW_BITS_MAX });
const order = has({ order: text, event: text, state: text, total_minor: number, currency: text, lines: list(object) });
const hold = has({ hold: text, units: list(object) });
const event = { event: text, name: text, state: text, sale_starts_at: time };

// What a page cannot do without, by the name that docs/openapi.json gives an answer. A newer or older service may
// know more or less than the rest.
const LEAST = {
  AcceptedView: has({ order: text, event: text, label: text }),
  AppealView: has({ until: time }),
  CheckoutView: has({ order, pay_url: text, expires_at: time }),
  CountsView: has({ id: number, sections: object, areas: object }),
  EventView: has({ ...event, currency: text, layout: text, tiers: list(object), fees: object }),
  EventsView: has({ events: list(has(event)) }),
  FoundView: has({ until: time, orders: list(object) }),
  HeldTicketsView: has({ orders: list(object) }),
  HoldView: hold,
  IdentityExchanged: has({ token: word, expires_at: time, sub: text }),
  LinkAskedView: has({ valid_s: number, mails_max: number, within_s: number }),
  LiveSessionView: has({
    session: word,
    state: text,
    credential: word,
    expires_at: time,
    hold_limit: number,
    holds: list(hold),
    tiers: list(object),
    fees: object
  }),
  OfferView: has({ link: text, until: time }),
  OrdersView: has({ orders: list(object) }),
  OrderView: order,
  PlaceView: has({ token: word, challenge, boff: number, now: number, state: text, sale_starts_at: orNone(time) }),
  SaveLinkView: has({ url: word }),
  SeatsView: has({ id: number, statuses: text }),
  WaitingView: has({ state: text, boff: number, now: number, token: orNone(word), slip: orNone(word) }),
  // Files beside the API.
  Config: object,
  Venue: has({ sections: list(object) }),
  Picture: has({ webp: text }),
  Section: has({ blocks: list(object) }),
  AllSeats: has({ sections: list(has({ id: text, x: list(number), y: list(number) })) }),
  // A place that comes back with a refusal, and one that this device keeps.
  Postponed: has({ token: word, boff: number }),
  Harder: has({ token: word, boff: number, challenge }),
  Kept: has({
    token: word,
    challenge,
    nonce: orNone(word),
    slip: orNone(word),
    boff: number,
    state: text,
    sale_starts_at: orNone(time),
    joined_ms: number
  })
};

export const KNOWN = Object.keys(LEAST);

/** Whether a value is whole enough to be used as what it is said to be. */
export const isWhole = (name, value) => Boolean(LEAST[name]?.(value));

const typeOf = (answer) => (answer.headers.get('content-type') || '').split(';')[0].trim().toLowerCase();

/**
 * Returns what one of our answers carries: JSON, a file as a Blob, or null; undefined where it is none of ours.
 * `answers` says by status what they are, as operations.js does. Throws where the body is cut.
 */
export async function contentOf(answer, answers) {
  const said = answers[answer.status];
  const type = typeOf(answer);
  if (said === '') return /\bno-store\b/.test(answer.headers.get('cache-control') || '') ? null : undefined;
  if (said?.includes('/')) return type === said ? answer.blob() : undefined;
  if (!said || type !== 'application/json') return undefined;
  const data = await answer.json();
  return isWhole(said, data) ? data : undefined;
}

/** Returns the problem that one of our refusals carries, null where it is none of ours. Throws where it is cut. */
export async function problemOf(answer) {
  if (typeOf(answer) !== 'application/problem+json') return null;
  const problem = await answer.json();
  return text(problem?.code) ? problem : null;
}

// The steps in which an event is prepared, with the fields of each. What no step names is under "All fields".

export const STEPS = [
  {
    step: 'event',
    name: 'Event',
    groups: [
      ['The event', ['name', 'event', 'subtitle', 'artist', 'category', 'text', 'language']],
      ['Where and when', ['starts_at', 'time_zone', 'venue_name', 'venue_address', 'travel']]
    ]
  },
  { step: 'venue', name: 'Venue', groups: [['Where it fills first', ['fullest']]], own: ['venue'] },
  {
    step: 'prices',
    name: 'Prices',
    groups: [
      ['Tiers without a price of their own', ['price_all', 'vat_all']],
      ['Fees', ['fee_order', 'fee_ticket', 'vat_fees', 'currency']]
    ],
    own: ['price', 'vat']
  },
  {
    step: 'sale',
    name: 'Sale',
    groups: [
      ['Start and end', ['sale_starts_at', 'sale_ends_at']],
      ['Pace', ['tau', 'live_max', 'control', 'curve']],
      ['Limits', ['hold_limit', 'user_limit', 'sessions_limit', 'avoid_single_seats']],
      ['Times', ['session_s', 'checkout_s']],
      [
        'Who may buy',
        ['members', 'members_until', 'account_days', 'verified_phone', 'ask_address', 'address_limit', 'card_limit']
      ]
    ],
    own: ['publish']
  },
  {
    step: 'terms',
    name: 'Terms',
    groups: [
      ['Cancel and transfer', ['cancel_until', 'cancel_fee', 'transfer_until', 'after_start']],
      ['Who sells', ['seller', 'seller_address', 'seller_vat_id', 'contact_mail', 'contact_phone']],
      ['Links', ['imprint', 'terms', 'privacy']]
    ]
  },
  {
    step: 'brand',
    name: 'Look',
    groups: [['Colours and letters', ['color_1', 'color_2', 'font']]],
    own: ['logo', 'picture']
  },
  { step: 'all', name: 'All fields', groups: [] },
  { step: 'summary', name: 'Summary', groups: [] }
];

export const LABELS = {
  event: 'Id in addresses',
  subtitle: 'Line under the name',
  artist: 'Performing artist',
  category: 'Kind of event',
  venue_name: 'Name of the venue',
  venue_address: 'Address of the venue',
  text: 'Text of the event’s page',
  language: 'Language of the texts',
  starts_at: 'Start of the performance',
  travel: 'How to get to the venue',
  fullest: 'Sections and areas that most buyers will want',
  price: 'Price',
  vat: 'VAT',
  price_all: 'Price of all other tiers',
  vat_all: 'VAT of all other tiers, and of fees',
  fee_order: 'Fee for each order',
  fee_ticket: 'Fee for each ticket',
  vat_fees: 'VAT in the fees',
  tau: 'Pace τ',
  live_max: 'Target: shoppers at once',
  control: 'Who sets the pace',
  hold_limit: 'Seats in one hold',
  user_limit: 'Seats for one account',
  sale_starts_at: 'Sale start',
  sale_ends_at: 'End of the sale',
  sessions_limit: 'Sessions for one account',
  avoid_single_seats: 'Leave no seat alone',
  session_s: 'Time to choose seats',
  checkout_s: 'Time to pay',
  members: 'Memberships of the presale',
  members_until: 'Presale until',
  account_days: 'Least age of an account, in days',
  verified_phone: 'Only with a verified phone number',
  ask_address: 'Ask for the postal address',
  address_limit: 'Seats for one postal address',
  card_limit: 'Seats for one payment card',
  cancel_until: 'Buyers may cancel until',
  cancel_fee: 'Kept for each cancelled ticket',
  transfer_until: 'Buyers may transfer tickets until',
  after_start: 'Also after the performance starts',
  seller: 'Name of the seller',
  seller_address: 'Address of the seller',
  imprint: 'Imprint of the seller',
  seller_vat_id: 'VAT number of the seller',
  contact_mail: 'Mail for questions',
  contact_phone: 'Phone for questions',
  terms: 'Terms that buyers accept',
  privacy: 'Privacy notice',
  color_1: 'Colour of buttons and links',
  color_2: 'Colour of accents',
  font: 'Letters of headings',
  from: 'A file of an event (TOML or JSON)',
  sale_starts_in: 'Seconds until the sale starts',
  mode: 'Draw for each',
  pow: 'Proof of work, in bits',
  token_ttl_s: 'Life of a waiting token',
  sample: 'Share of accounts that are counted',
  sample_admissions: 'Share of admissions for the risk desk',
  sample_violations: 'Share of refused attempts for the risk desk',
  backoff_s: 'Least and most time between two requests',
  requests_per_s: 'First attempts a second',
  session_mean_s: 'Mean length of a session'
};

const namedIn = ({ groups, own = [] }) => [...own, ...groups.flatMap(([, names]) => names)];
const PLACED = new Set(STEPS.flatMap(namedIn));

/** Returns the names of the fields that no step has, in the order of the act. */
export const others = (properties) => Object.keys(properties).filter((name) => !PLACED.has(name));

/** Returns the groups of a step, with those fields alone that the act takes. */
export function groupsOf(step, properties, without = []) {
  const takes = (name) => name in properties && !without.includes(name);
  const groups = step.step === 'all' ? [['All other fields', others(properties)]] : step.groups;
  return groups.map(([title, names]) => [title, names.filter(takes)]).filter(([, names]) => names.length > 0);
}

/** Returns the step in which a field is. */
export const stepOf = (name) =>
  STEPS.find((one) => namedIn(one).includes(name)) ?? STEPS.find(({ step }) => step === 'all');

/** "Winter Gala 2027!" → "winter-gala-2027": an id as addresses have it. */
export function idOf(name) {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 40)
    .replace(/-+$/, '');
}

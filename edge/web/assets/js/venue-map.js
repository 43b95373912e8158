// The whole venue as SVG: sections coloured by what is left, and the same as a list.

import { placeName } from './catalog.js';
import { h, svg } from './dom.js';
import { money, plural } from './format.js';
import { middle } from './outline.js';

const points = (outline) => outline.map(([x, y]) => `${x},${y}`).join(' ');

/** Sorts a place by what is left: unknown, none, few, some or many, which differ in more than hue. */
function fillOf(available, total) {
  if (available === undefined || !total) return 'unknown';
  if (available <= 0) return 'none';
  const share = available / total;
  return share < 0.1 ? 'few' : share < 0.5 ? 'some' : 'many';
}

/** Describes a section or an area of the venue alike. */
function placeOf(kind, { id, name, outline }, total, tiers) {
  const short = name || id;
  return { kind, id, name: kind === 'section' ? placeName(short) : short, short, outline, total, tiers };
}

const FILLS = [
  ['many', 'Many left'],
  ['some', 'Some left'],
  ['few', 'Few left'],
  ['none', 'None left']
];

export class VenueMap {
  /** `choose(id)` is called for a section or an area; null makes the map read-only. */
  constructor(venue, event, choose) {
    this.event = event;
    this.choose = choose;
    this.tier = '';
    this.tiers = new Map(event.tiers.map((tier) => [tier.id, tier]));
    this.places = [
      ...venue.sections.map((s) => placeOf('section', s, s.seats, s.tiers || [])),
      ...(venue.areas || []).map((a) => placeOf('area', a, a.capacity, [a.tier]))
    ];
    this.element = h('div', {}, this.draw(venue));
    this.list = h(
      'ul',
      { class: 'place-list' },
      this.places.map((place) => this.listItem(place))
    );
    this.paint();
  }

  draw(venue) {
    const { width, height } = venue.bounds;
    const pad = Math.max(width, height) * 0.015;
    const root = svg('svg', {
      viewBox: `${-pad} ${-pad} ${width + 2 * pad} ${height + 2 * pad}`,
      class: 'venue-svg',
      role: this.choose ? 'group' : 'img',
      'aria-label': this.choose ? 'Seat map. Choose a section.' : `Seat map of ${venue.name}`
    });
    for (const shape of venue.shapes || []) {
      const at = middle(shape.outline);
      root.append(svg('polygon', { points: points(shape.outline), class: 'shape' }));
      if (shape.name) root.append(this.label(shape.name, at, 'shape-name', width));
    }
    for (const place of this.places) root.append(this.drawPlace(place, width));
    return root;
  }

  drawPlace(place, width) {
    const act = () => place.left !== 0 && this.choose(place.id);
    const chooser = this.choose && {
      role: 'button',
      tabindex: 0,
      onclick: act,
      onkeydown: (e) => {
        if (e.key === 'Enter' || e.key === ' ') {
          e.preventDefault();
          act();
        }
      }
    };
    place.shape = svg('polygon', { points: points(place.outline), class: 'place' });
    place.group = svg(
      'g',
      { class: 'place-group', 'data-place': place.id, ...chooser },
      place.shape,
      this.label(place.short, middle(place.outline), 'place-name', width)
    );
    return place.group;
  }

  label(text, at, name, width) {
    const size = Math.min(width / 30, (3.4 * at.clearance) / Math.max(2, text.length * 0.8), at.clearance * 1.3);
    return svg(
      'text',
      {
        x: at.x,
        y: at.y,
        class: name,
        'font-size': size,
        'text-anchor': 'middle',
        'dominant-baseline': 'central',
        'aria-hidden': 'true'
      },
      text
    );
  }

  listItem(place) {
    place.item = this.choose
      ? h('button', {
          class: 'place-button',
          'data-kind': place.kind,
          'data-place': place.id,
          onclick: () => this.choose(place.id)
        })
      : h('span', {});
    place.count = h('span', {});
    place.item.append(h('b', {}, place.name), place.count, h('span', { class: 'dim' }, this.prices(place)));
    return h('li', {}, place.item);
  }

  update(availability) {
    for (const place of this.places) {
      const counts = (place.kind === 'section' ? availability.sections : availability.areas)?.[place.id];
      if (!counts) continue;
      place.left = counts.available;
      place.total = counts.total ?? counts.capacity;
    }
    this.paint();
  }

  /** Shows only places that have this price tier; '' shows all. */
  filter(tier) {
    this.tier = tier;
    this.paint();
  }

  paint() {
    for (const place of this.places) {
      const fill = fillOf(place.left, place.total);
      const other = this.tier && !place.tiers.includes(this.tier);
      const prices = this.prices(place);
      const classes = ['place-group', `level-${fill}`, other ? 'other' : ''];
      place.group.setAttribute('class', classes.join(' ').trim());
      place.group.setAttribute('aria-label', [place.name, this.leftInWords(place), prices].filter(Boolean).join(', '));
      if (this.choose) place.group.setAttribute('aria-disabled', String(fill === 'none'));
      const left = place.left ? `${place.left} left` : 'None left';
      place.count.setAttribute('class', `left left-${fill}`);
      place.count.textContent = place.left === undefined ? '' : left;
      if (this.choose) place.item.disabled = fill === 'none';
      place.item.parentNode.hidden = Boolean(other);
    }
  }

  leftInWords({ kind, left }) {
    return left === undefined ? '' : `${plural(left, kind === 'section' ? 'seat' : 'place')} left`;
  }

  prices(place) {
    const minors = place.tiers.map((id) => this.tiers.get(id)?.whole_minor).filter((n) => n !== undefined);
    if (!minors.length) return '';
    const low = money(Math.min(...minors), this.event.currency);
    const high = money(Math.max(...minors), this.event.currency);
    return low === high ? low : `${low} – ${high}`;
  }

  key() {
    return h(
      'ul',
      { class: 'key' },
      FILLS.map(([fill, text]) =>
        h('li', {}, h('span', { class: `swatch swatch-${fill}`, 'aria-hidden': 'true' }), text)
      )
    );
  }
}

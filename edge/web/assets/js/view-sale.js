// Inside: the venue, a section's seats, general admission, and the basket with its clock.

import { get, paths } from './api.js';
import { loadEvent, loadSection, loadVenue, placeName, placesOf, seatLabel, seatName, tiersOf } from './catalog.js';
import { announce, field, h, notice, show } from './dom.js';
import { clockText, listText, money, plural } from './format.js';
import { Basket } from './holds.js';
import { follow, followCounts } from './live.js';
import { dot } from './view-landing.js';
import { failed, page } from './main.js';
import { SectionMap } from './map.js';
import { Panel } from './panel.js';
import { explain } from './problems.js';
import { SeatList } from './seat-list.js';
import { VenueMap } from './venue-map.js';

const WARN_S = 60;

export function sessionOver(
  event,
  text = 'Your time to choose is over, and your seats were given back so that others can have them.'
) {
  page(
    'Your session is over',
    h(
      'section',
      { class: 'card narrow' },
      h('h1', {}, 'Your session is over'),
      h('p', { class: 'lead' }, text),
      h(
        'div',
        { class: 'buttons' },
        h('a', { class: 'button primary', href: `#/e/${encodeURIComponent(event)}` }, 'Back to the event')
      )
    )
  );
  announce('Your session is over.');
}

class Sale {
  constructor(event, venue, basket, signal) {
    Object.assign(this, { event, venue, basket, signal });
    this.tiers = tiersOf(event);
    this.chosen = new Map();
    this.gone = new Set(); // seats that a refusal named; the next update knows them too
    this.busy = false;
    this.asList = false;
    this.clock = h('span', { class: 'clock', role: 'timer', 'aria-label': 'Time left' });
    this.words = h('div', { role: 'status', class: 'words' });
    this.stage = h('div', {});
    this.overview = new VenueMap(venue, event, (kind, id) => this.go(kind, id));
    this.panel = new Panel(this);
    this.title = h('h1', {});
    this.element = h(
      'div',
      { class: 'sale' },
      h('div', { class: 'sale-head' }, this.title, this.clock),
      this.words,
      h('div', { class: 'columns' }, h('section', { class: 'card grow map-card' }, this.stage), this.panel.element),
      this.panel.bar
    );
  }

  get base() {
    return `#/e/${encodeURIComponent(this.event.event)}/sale`;
  }

  go(kind, id) {
    location.hash = `${this.base}/${encodeURIComponent(id)}`;
  }

  say(kind, text) {
    show(this.words, text && notice(kind, text));
    if (text && this.words.getBoundingClientRect().top < 0) this.words.scrollIntoView({ block: 'center' });
  }

  /** Shows the venue, a section or an area. */
  async open(id) {
    const token = (this.opening = {});
    this.closeSection();
    this.areaRoom = null;
    this.chosen.clear();
    this.gone.clear();
    const area = (this.venue.areas || []).find((a) => a.id === id);
    const section = this.venue.sections.find((s) => s.id === id);
    this.sectionName = section ? placeName(section.name || section.id) : '';
    this.title.textContent = area?.name || this.sectionName || this.event.name;
    this.panel.setSection(section?.id, this.sectionName);
    if (area) this.showArea(area);
    else if (section) await this.showSection(section, token);
    else this.showVenue();
    this.panel.paint();
  }

  closeSection() {
    this.section?.ends.abort();
    this.section?.map.close();
    this.section = null;
  }

  back() {
    return h('a', { class: 'back', href: this.base }, '← Whole venue');
  }

  showVenue() {
    show(
      this.stage,
      h('p', { class: 'dim' }, 'Choose a section to see its seats.'),
      this.overview.element,
      this.overview.key(),
      h('details', { class: 'as-list' }, h('summary', {}, 'Sections as a list'), this.overview.list)
    );
  }

  async showSection(section, token) {
    show(this.stage, this.back(), h('p', { class: 'loading', role: 'status' }, 'Loading seats…'));
    const [layout, { statuses, id }] = await Promise.all([
      loadSection(this.event, section.id),
      this.seats(section.id, true)
    ]);
    if (token !== this.opening) return; // the buyer went on meanwhile
    const focus = section.focalPoint || this.venue.focalPoint;
    const shared = {
      tiers: this.tiers,
      currency: this.event.currency,
      stateOf: (seat) => this.stateOf(seat),
      toggle: (seat) => this.toggle(seat)
    };
    this.section = { id: section.id, layout, statuses, read: id, ends: new AbortController() };
    this.section.map = new SectionMap(
      { ...layout, name: this.sectionName },
      { ...shared, focalPoint: focus && (Array.isArray(focus) ? focus : [focus.x, focus.y]) }
    );
    this.section.map.tierFilter = this.panel.tier.value;
    this.section.list = new SeatList(layout, shared);
    this.drawSection();
    this.followSection(this.section);
  }

  drawSection() {
    const { map, list, layout } = this.section;
    const toggle = h(
      'button',
      {
        class: 'quiet',
        onclick: () => {
          this.asList = !this.asList;
          this.drawSection();
        }
      },
      this.asList ? 'Show the map' : 'Show as a list'
    );
    const used = new Set(layout.all.map((seat) => seat.tier));
    show(
      this.stage,
      h('div', { class: 'stage-head' }, this.back(), toggle),
      this.asList ? list.element : map.element,
      h(
        'ul',
        { class: 'key' },
        this.event.tiers
          .filter((t) => used.has(t.id))
          .map((t) => h('li', {}, dot(t.color), `${t.name} ${money(t.price_minor, this.event.currency)}`)),
        h('li', {}, h('span', { class: 'dot dot-gone', 'aria-hidden': 'true' }), 'taken'),
        h('li', {}, h('span', { class: 'dot dot-own', 'aria-hidden': 'true' }, '✓'), 'yours')
      )
    );
    if (this.asList) list.update();
  }

  showArea(area) {
    const tier = this.tiers.get(area.tier);
    const most = Math.max(1, Math.min(10, this.basket.room));
    const quantity = h(
      'select',
      { id: 'area-n' },
      Array.from({ length: most }, (_, i) => h('option', { value: String(i + 1) }, String(i + 1)))
    );
    this.areaLeft = h('p', { class: 'lead' }, '');
    this.areaRoom = area;
    this.areaButton = h(
      'button',
      {
        class: 'primary',
        disabled: this.basket.room < 1,
        onclick: () => this.take(() => this.basket.hold({ areas: { [area.id]: Number(quantity.value) } }))
      },
      'Hold places'
    );
    show(
      this.stage,
      this.back(),
      h(
        'div',
        { class: 'area' },
        h('h2', {}, area.name),
        this.areaLeft,
        h(
          'p',
          {},
          'No numbered seats: stand or sit where you like.',
          tier && ` ${money(tier.price_minor, this.event.currency)} each.`
        ),
        h('div', { class: 'fields' }, field('How many', quantity)),
        this.areaButton
      )
    );
    this.paintArea();
  }

  paintArea() {
    const left = this.counts?.areas?.[this.areaRoom.id]?.available;
    this.areaLeft.textContent =
      left === undefined ? '' : left ? `${plural(left, 'place')} left` : 'None left at this moment';
    this.areaButton.disabled = left === 0 || this.basket.room < 1;
  }

  seats(section, retry = false) {
    return get(paths.seats(this.event.event, section), { signal: this.signal, retry });
  }

  stateOf(seat) {
    if (this.basket.has(seat.id)) return 'mine';
    if (this.section.statuses[seat.index] !== '0' || this.gone.has(seat.id)) return 'gone';
    return this.chosen.has(seat.id) ? 'chosen' : 'free';
  }

  get chosenPlaces() {
    return [...this.chosen.values()].reduce((sum, seat) => sum + placesOf(seat), 0);
  }

  toggle(seat) {
    const state = this.stateOf(seat);
    const name = seatName(seat);
    if (state === 'gone') return this.say('info', `${name} is taken.`);
    if (state === 'mine') return this.say('info', `${name} is already held for you.`);
    if (state === 'chosen') this.chosen.delete(seat.id);
    else if (this.chosenPlaces + placesOf(seat) > this.basket.room)
      return this.say(
        'warn',
        `One buyer may hold up to ${this.basket.session.hold_limit}. Give one back to choose another.`
      );
    else this.chosen.set(seat.id, seat);
    this.say();
    announce(`${name} ${state === 'chosen' ? 'no longer chosen' : 'chosen'}`);
    this.repaint();
  }

  repaint() {
    this.section?.map.later();
    if (this.asList) this.section?.list.update();
    this.panel.paint();
  }

  filter(tier) {
    this.overview.filter(tier);
    if (this.section) {
      this.section.map.tierFilter = tier;
      this.section.map.later();
    }
  }

  holdChosen() {
    return this.take(() => this.basket.hold({ seats: [...this.chosen.keys()] }));
  }

  takeBest(wish) {
    if (wish.quantity > this.basket.room)
      return this.say(
        'warn',
        `One buyer may hold up to ${this.basket.session.hold_limit}, and ${this.basket.count} are held already.`
      );
    return this.take(() => this.basket.best(wish));
  }

  async take(ask) {
    if (this.busy) return;
    this.busy = true;
    this.panel.button.disabled = true;
    this.panel.paint();
    try {
      const hold = await ask();
      this.chosen.clear();
      const labels = await Promise.all(hold.units.map((unit) => this.labelOf(unit)));
      this.say(
        'good',
        labels.length > 2 ? `Held for you: ${labels.length} seats.` : `Held for you: ${listText(labels)}.`
      );
    } catch (error) {
      await this.refused(error);
    } finally {
      this.busy = false;
      this.panel.button.disabled = false;
      this.repaint();
    }
  }

  async refused(error) {
    if (error.code === 'seats-taken' && this.section) {
      const names = (error.fields.seats || []).map((id) => {
        if (!error.fields.for_now) this.gone.add(id);
        this.chosen.delete(id);
        const seat = this.section.layout.byId.get(id);
        return seat ? seatName(seat) : id;
      });
      if (error.fields.for_now)
        this.say(
          'warn',
          `Somebody else is taking ${listText(names)} at this moment. If they do not, it is free again in a few seconds.`
        );
      else
        this.say(
          'warn',
          `Somebody was faster: ${listText(names)} ${names.length === 1 ? 'is' : 'are'} taken. ${this.chosen.size ? 'The others are still chosen, and not held yet.' : 'Please choose another.'}`
        );
    } else if (['session-expired', 'hold-expired', 'wrong-state'].includes(error.code)) await this.lost(error);
    else if (error.code === 'unauthenticated') failed(error);
    else this.say('bad', explain(error));
  }

  /** The session is not what this page thought: look again, and say what is true. */
  async lost(error) {
    try {
      this.basket = await Basket.live(this.event.event, this.signal);
      if (this.basket.session.state === 'checkout')
        location.hash = `#/e/${encodeURIComponent(this.event.event)}/checkout`;
      else this.say('warn', explain(error));
    } catch {
      sessionOver(this.event.event);
    }
  }

  async release(hold) {
    try {
      await this.basket.release(hold);
      this.say('info', 'Given back.');
    } catch (error) {
      await this.refused(error);
    }
    this.repaint();
  }

  labelOf(unit) {
    if (unit.kind === 'area') {
      const area = (this.venue.areas || []).find((a) => a.id === unit.area);
      return Promise.resolve(`${unit.quantity} × ${area?.name || unit.area}`);
    }
    return seatLabel(this.event, this.venue, unit.section, unit.seat);
  }

  /** What others do in the whole venue. */
  count(counts) {
    this.counts = counts;
    this.overview.update(counts);
    if (this.areaRoom) this.paintArea();
  }

  /** What others do in the open section: its seats. */
  followSection(section) {
    let known = section.read; // the statuses that it was drawn with
    const read = async () => {
      if (known !== undefined) {
        const id = known;
        known = undefined;
        return id;
      }
      const { statuses, id } = await this.seats(section.id);
      if (section === this.section) this.seen(statuses);
      return id;
    };
    const apply = (_, changes) => {
      if (section !== this.section) return;
      const statuses = [...section.statuses];
      for (const [seat, code] of changes) statuses[seat] = String(code);
      this.seen(statuses.join(''));
    };
    this.signal.addEventListener('abort', () => section.ends.abort());
    follow(paths.changes(this.event.event, section.id), {
      read,
      apply,
      stale: () => this.outdated(),
      signal: section.ends.signal
    });
  }

  outdated() {
    this.say('warn', 'The map is not up to date at this moment. Seats that you hold are safe.');
  }

  seen(statuses) {
    if (statuses === this.section.statuses) return;
    this.section.statuses = statuses;
    const lost = [...this.chosen.values()].filter((seat) => statuses[seat.index] !== '0');
    for (const seat of lost) this.chosen.delete(seat.id);
    if (lost.length && !this.busy) this.say('warn', `Just taken by somebody else: ${listText(lost.map(seatName))}.`);
    this.repaint();
  }

  tick() {
    const left = this.basket.secondsLeft;
    this.clock.textContent = `${clockText(left)} left`;
    this.clock.classList.toggle('low', left <= WARN_S);
    if (left <= WARN_S && !this.warned) {
      this.warned = true;
      announce('One minute left.');
    }
    if (left <= 0 && !this.ended) {
      this.ended = true;
      sessionOver(this.event.event);
      return true;
    }
    return false;
  }
}

export async function open(signal, id, sectionId) {
  const event = await loadEvent(id, signal);
  const venue = await loadVenue(event);
  let basket;
  try {
    basket = await Basket.live(id, signal);
  } catch (error) {
    if (error.code !== 'not-found') throw error;
    sessionOver(
      id,
      'There is no open session for you here. If your time ran out, your seats were given back. You are welcome to take a place again.'
    );
    return;
  }
  if (basket.session.state === 'checkout') {
    location.replace(`#/e/${encodeURIComponent(id)}/checkout`);
    return;
  }
  if (basket.session.state !== 'reservation') {
    sessionOver(id, 'This session has ended.');
    return;
  }
  const sale = new Sale(event, venue, basket, signal);
  page(`Choose your seats: ${event.name}`, sale.element);
  const timer = setInterval(() => {
    if (sale.tick()) clearInterval(timer);
  }, 500);
  signal.addEventListener('abort', () => {
    clearInterval(timer);
    sale.closeSection();
  });
  sale.tick();
  await sale.open(sectionId);
  followCounts(id, { show: (counts) => sale.count(counts), stale: () => sale.outdated(), signal });
  return (_, next) => {
    sale.say();
    sale.title.tabIndex = -1;
    sale.open(next).catch((error) => sale.say('bad', explain(error)));
    sale.title.focus({ preventScroll: true });
  };
}

// The map on a page: loads it when it is opened, keeps its seats up to date, and shows what a seat costs.

import { loadSection, placeName, seatName } from './catalog.js';
import { announce, h, nap } from './dom.js';
import { money } from './format.js';
import { loadBackground, loadPictures } from './map/pictures.js';
import { focusName, leftText } from './map/places.js';
import { PriceFilter } from './map/price-filter.js';
import { nearestFree } from './map/nearest.js';
import { FREE, MINE } from './map/scene.js';
import { rankedTiers } from './map/tiers.js';
import { SeatCard, viewFacts } from './map/seat-card.js';
import { SeatMap } from './map/seat-map.js';
import { readVector, Statuses } from './map/statuses.js';
import { inside } from './outline.js';
import { say } from './words.js';

const DETAILS_MAX = 8; // sections in view whose seats' numbers are loaded
const NUMBERS_PX = 20;
const STATUSES_MS = 1000; // for so long the picture waits for what is free
const ARROWS = ['→', '↘', '↓', '↙', '←', '↖', '↑', '↗'];

export class MapStage {
  /**
   * `on`: go(place), settled(place) when the buyer has moved there, changed() after others took seats, stale(), and for
   * who may choose: stateOf(seat) and toggle(seat).
   */
  constructor(event, venue, signal, on) {
    Object.assign(this, { event, venue, signal, on });
    this.tiers = rankedTiers(event);
    this.filter = new PriceFilter(this.tiers, event.currency, (hidden, accessible) => {
      this.map?.filter(hidden, accessible);
      on.filtered?.(hidden);
    });
    this.card = new SeatCard();
    this.direction = h('div', { class: 'map-direction', 'aria-hidden': 'true' });
    this.holder = h(
      'div',
      { class: 'map-holder', 'aria-busy': 'true' },
      h('p', { class: 'loading', role: 'status' }, say('map-loading'))
    );
    this.element = h('div', { class: 'map-stage' }, this.filter.element, this.holder);
    this.own = new Map(); // seat id → {section, index, state}
    this.place = '';
    signal.addEventListener('abort', () => this.close());
  }

  close() {
    this.map?.close();
    this.statuses?.close();
  }

  /** Loads the map, and shows it as soon as there is something to see. */
  async load() {
    const pictures = loadPictures(this.event, this.venue);
    pictures.catch(() => {}); // it is awaited below
    const vector = readVector(this.event.event, this.signal).catch(() => null); // it is read again
    this.map = new SeatMap(this.venue, this.event, {
      embedded: !this.on.toggle,
      place: (id) => this.on.go(id),
      settled: (id) => this.on.settled(id),
      seat: (i, how) => this.seatPressed(i, how),
      mark: (i, how) => this.mark(i, how),
      placeMark: (place, at) => this.placeMark(place, at),
      want: (id, inView) => this.want(id, inView),
      painted: () => this.follow()
    });
    if (this.counts) this.map.setCounts(this.counts);
    this.map.element.append(this.direction, this.card.element);
    this.holder.replaceChildren(this.map.element);
    this.map.show(this.place, true);
    await this.map.setPictures(await pictures);
    if (this.signal.aborted) return;
    this.statuses = new Statuses(this.event.event, this.map.scene, {
      signal: this.signal,
      changed: () => this.statesChanged(),
      stale: () => this.on.stale()
    });
    const bytes = await Promise.race([vector, nap(STATUSES_MS, this.signal)]);
    if (bytes) this.statuses.takeOver(bytes);
    else this.statuses.readAll();
    this.paintOwn();
    this.map.rest();
    this.holder.setAttribute('aria-busy', 'false');
    this.on.changed?.();
    if (this.venue.picture) await this.loadBackground();
  }

  /** Loads the picture below the chart, when all else is there; the map does without it, too. */
  async loadBackground() {
    const image = await loadBackground(this.event, this.signal).catch(() => null);
    if (image && !this.signal.aborted) this.map.setBackground(image);
  }

  /** Shows a place, '' the whole venue. */
  show(id) {
    this.place = id || '';
    if (this.map && this.map.place !== this.place) this.map.show(this.place);
    if (!this.area && !this.marksIn(this.place)) this.card.hide();
    this.area = null;
    this.want(this.section ? this.place : '', []);
  }

  /** Whether a seat of this section is pointed at or focused. */
  marksIn(id) {
    const { scene, marked } = this.map || {};
    return Boolean(scene) && marked !== null && scene.sections[scene.section[marked]].id === id;
  }

  /** Whether the keyboard's focus is on the map. */
  get focused() {
    return Boolean(this.map) && this.map.element.contains(document.activeElement);
  }

  get section() {
    return this.venue.sections.find((one) => one.id === this.place);
  }

  /** Shows the form of an area in the place of the seat's card. */
  showArea(form) {
    this.area = form;
    this.card.showForm(form);
  }

  /** Shows the counts of the whole venue. */
  update(counts) {
    this.counts = counts;
    this.map?.setCounts(counts);
    this.statuses?.compare(counts);
  }

  statesChanged() {
    this.map.statesChanged();
    if (this.map.marked !== null) this.mark(this.map.marked, this.map.how);
    this.on.changed?.();
  }

  /** Whether others have left a seat free. */
  isFree(seat) {
    return this.map?.isFree(seat.section, seat.index) ?? false;
  }

  /** Marks seats as the buyer's own: Map of id → {section, index, state}. */
  setOwn(own) {
    this.own = own;
    this.paintOwn();
  }

  paintOwn() {
    const { scene } = this.map || {};
    if (!scene) return;
    const seats = [...this.own.values()].filter(({ section }) => scene.byId.has(section));
    this.map.setOwn(new Map(seats.map(({ section, index, state }) => [scene.byId.get(section).from + index, state])));
    if (this.map.marked !== null) this.mark(this.map.marked, this.map.how);
  }

  /** Returns how many px an element covers: at the top, or at the bottom, whichever it is nearer to. */
  coveredBy(element) {
    const [map, over] = [this.map.element, element].map((one) => one.getBoundingClientRect());
    const [top, bottom] = [over.bottom - map.top, map.bottom - over.top];
    return top < bottom ? { top: Math.max(0, top) } : { bottom: Math.max(0, bottom) };
  }

  /** Puts the keyboard's focus on the map. */
  focus() {
    this.map?.front.focus({ preventScroll: true });
  }

  /** Returns the numbers of seats in the scene, of those that are in it. */
  numbersOf(seats) {
    const { byId } = this.map?.scene || {};
    return byId
      ? seats.filter((seat) => byId.has(seat.section)).map((seat) => byId.get(seat.section).from + seat.index)
      : [];
  }

  /** Shows the surroundings of seats; of `section` where they are in one. */
  showSeats(seats, section) {
    const numbers = this.numbersOf(seats);
    if (!numbers.length) return;
    this.place = section;
    this.map.showSeats(numbers, section);
  }

  /** Marks seats that another buyer took, until it is called with none; `over` is what lies over the map. */
  setLost(seats, over) {
    if (!this.map) return;
    if (over) this.map.covered = this.coveredBy(over);
    this.map.setLost(this.numbersOf(seats));
  }

  /** Finds `count` free seats side by side, nearest to the seat `first` of the `lost` ones. */
  async nearestFree(first, count, lost) {
    const gone = this.numbersOf(lost);
    if (!gone.length) return [];
    const { scene } = this.map;
    const mayBe = (i) => scene.base[i] === FREE && scene.shows(i) && !gone.includes(i) && scene.own.get(i) !== MINE;
    const [at] = this.numbersOf([first]);
    return Promise.all(nearestFree(scene, at, count, mayBe).map((i) => this.seatOf(i)));
  }

  // --- what is near

  /** Follows the section in the middle, and loads the numbers of the seats in view. */
  want(id, inView) {
    if (!this.statuses) return;
    this.statuses.follow(id || (this.section ? this.place : ''));
    if (this.map.seatPx < NUMBERS_PX) return;
    for (const section of inView.slice(0, DETAILS_MAX)) this.detail(section.id).catch(() => {}); // numbers only
  }

  async detail(id) {
    const section = await loadSection(this.event, id);
    if (!this.map.names.has(id))
      this.map.setNumbers(
        id,
        section.all.map((seat) => seat.number)
      );
    return section;
  }

  /** Loads what is known of a seat of the scene. */
  async seatOf(i) {
    const { scene } = this.map;
    const section = scene.sections[scene.section[i]];
    return (await this.detail(section.id)).all[i - section.from];
  }

  focusOf(sectionId) {
    const section = this.venue.sections.find((one) => one.id === sectionId);
    return focusName(this.venue, section, inside);
  }

  // --- what is pointed at

  async seatPressed(i, how) {
    const seen = this.armed === i;
    this.armed = i;
    if (!this.on.toggle || (how === 'touch' && !seen)) return; // the first tap tells what it is
    this.on.toggle(await this.seatOf(i));
  }

  async mark(i, how) {
    this.wanted = i;
    if (i === null) {
      this.armed = null;
      if (!this.area) this.card.hide();
      return;
    }
    const seat = await this.seatOf(i).catch(() => null);
    if (!seat || this.wanted !== i) return; // the buyer points elsewhere by now
    const { scene, camera } = this.map;
    const tier = this.tiers.get(seat.tier);
    const focus = this.focusOf(seat.section);
    const state = this.on.stateOf ? this.on.stateOf(seat) : this.isFree(seat) ? 'free' : 'gone';
    const sectionName = placeName(this.venue.sections.find((one) => one.id === seat.section).name || seat.section);
    const texts = { free: 'card-add', chosen: 'card-remove' };
    const canChoose = this.on.toggle && how !== 'hover' && texts[state];
    this.area = null;
    this.card.element.classList.toggle('passing', how === 'hover');
    this.card.showSeat(
      {
        seat,
        section: sectionName,
        tier,
        currency: this.event.currency,
        view: viewFacts(scene, i, seat.unit ? null : focus, seat.restrictedView),
        state: state !== 'free' && say(`card-state-${state}`),
        action: canChoose && { text: say(texts[state]), act: () => this.on.toggle(seat) }
      },
      camera.toScreen(scene.x[i], scene.y[i]),
      camera
    );
    if (how !== 'key') return;
    this.uncover(i);
    this.tell(seat, state, tier);
  }

  tell(seat, state, tier) {
    const kind = seat.kind !== 'standard' && say(seat.kind === 'accessible' ? 'card-wheelchair' : 'card-companion');
    const price = tier && money(tier.whole_minor * (seat.capacity ?? 1), this.event.currency);
    const said = [seatName(seat), say(`card-state-${state}`), kind, seat.restrictedView && say('card-restricted')];
    announce([...said, price].filter(Boolean).join(', '));
  }

  placeMark(place, at) {
    if (this.area) return;
    if (!place) {
      if (this.map.marked === null) this.card.hide();
      return;
    }
    this.card.element.classList.add('passing');
    const { price } = this.map.wordsOf(place);
    this.card.showPlace({ name: place.name, price, left: leftText(place) }, at, this.map.camera);
  }

  /** Keeps the seat that the keyboard is at above its card, where that lies at the bottom. */
  uncover(i) {
    const { map, card } = this;
    const sheet = getComputedStyle(card.element).translate === 'none';
    map.covered = sheet ? this.coveredBy(card.element) : {};
    map.reach(i);
  }

  /** Keeps the card beside its seat and the arrow to the stage up to date while the map moves. */
  follow() {
    const { map } = this;
    if (map.marked !== null && !this.card.element.hidden && !this.area) {
      this.card.put(map.camera.toScreen(map.scene.x[map.marked], map.scene.y[map.marked]), map.camera);
    }
    const section = this.venue.sections.find((one) => one.id === (this.statuses?.followed || this.place));
    const focus = section && this.focusOf(section.id);
    const at = focus?.name && map.camera.toScreen(focus.x, focus.y);
    const { width, height } = map.camera;
    const away = at && (at.x < 0 || at.y < 0 || at.x > width || at.y > height);
    this.direction.hidden = !away;
    if (!away) return;
    const eighth = Math.round(Math.atan2(at.y - height / 2, at.x - width / 2) / (Math.PI / 4));
    const text = `${ARROWS[(eighth + 8) % 8]} ${focus.name}`;
    if (this.direction.textContent !== text) this.direction.textContent = text;
  }
}

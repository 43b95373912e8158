// Inside: the venue, a section's seats, general admission, and the basket with its clock.

import { placeName, placesOf, seatName, tiersOf, unitLabel } from './catalog.js';
import { announce, h, notice, show } from './dom.js';
import { clockText, listText } from './format.js';
import { Basket } from './holds.js';
import { links } from './links.js';
import { showFailure, showSessionOver } from './page.js';
import { Panel } from './panel.js';
import { explain } from './problems.js';
import { AreaForm } from './sale-area.js';
import { OpenSection } from './sale-section.js';
import { VenueMap } from './venue-map.js';

const WARN_S = 60;

export class Sale {
  constructor(event, venue, basket, signal) {
    Object.assign(this, { event, venue, basket, signal });
    this.tiers = tiersOf(event);
    this.chosen = new Map(); // seat id → seat
    this.gone = new Set(); // seats that a refusal named; the next update knows them too
    this.busy = false;
    this.asList = false;
    this.section = null; // the OpenSection that is shown
    this.area = null; // the AreaForm that is shown
    this.clock = h('span', { class: 'clock', role: 'timer', 'aria-label': 'Time left' });
    this.notices = h('div', { role: 'status', class: 'words' });
    this.stage = h('div', {});
    this.overview = new VenueMap(venue, event, (id) => this.go(id));
    this.panel = new Panel(this);
    this.title = h('h1', {});
    this.element = h(
      'div',
      {},
      h('div', { class: 'sale-head' }, this.title, this.clock),
      this.notices,
      h('div', { class: 'columns' }, h('section', { class: 'card map-card' }, this.stage), this.panel.element),
      this.panel.bar
    );
  }

  go(place) {
    location.hash = links.sale(this.event.event, place);
  }

  /** Shows a sentence above the stage; without one, none. */
  notify(kind, text) {
    show(this.notices, text && notice(kind, text));
    if (text && this.notices.getBoundingClientRect().top < 0) this.notices.scrollIntoView({ block: 'center' });
  }

  // --- what the stage shows

  /** Shows the venue, a section or an area. */
  async open(id) {
    const opening = {};
    this.opening = opening;
    this.closeSection();
    this.area = null;
    this.chosen.clear();
    this.gone.clear();
    const area = (this.venue.areas || []).find((a) => a.id === id);
    const section = this.venue.sections.find((s) => s.id === id);
    this.sectionName = section ? placeName(section.name || section.id) : '';
    this.title.textContent = area?.name || this.sectionName || this.event.name;
    this.panel.setSection(section?.id, this.sectionName);
    if (area) this.showArea(area);
    else if (section) await this.showSection(section, opening);
    else this.showVenue();
    this.panel.paint();
  }

  closeSection() {
    this.section?.close();
    this.section = null;
  }

  back() {
    return h('a', { class: 'back', href: links.sale(this.event.event) }, '← Whole venue');
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

  async showSection(place, opening) {
    show(this.stage, this.back(), h('p', { class: 'loading', role: 'status' }, 'Loading seats…'));
    const section = new OpenSection(this, place, this.sectionName);
    await section.load();
    if (opening !== this.opening) return; // the buyer went on meanwhile
    this.section = section;
    section.start(this.panel.tier.value);
    this.drawSection();
  }

  drawSection() {
    const { map, list } = this.section;
    const onclick = () => {
      this.asList = !this.asList;
      this.drawSection();
    };
    const toggle = h('button', { class: 'quiet', onclick }, this.asList ? 'Show the map' : 'Show as a list');
    show(
      this.stage,
      h('div', { class: 'stage-head' }, this.back(), toggle),
      this.asList ? list.element : map.element,
      this.section.key()
    );
    if (this.asList) list.update();
  }

  showArea(area) {
    this.area = new AreaForm(this, area);
    this.area.update(this.counts);
    show(this.stage, this.back(), this.area.element);
  }

  /** Shows only the places and seats of this price tier; '' shows all. */
  filter(tier) {
    this.overview.filter(tier);
    this.section?.filter(tier);
  }

  repaint() {
    this.section?.repaint(this.asList);
    this.panel.paint();
  }

  // --- choosing and holding

  /** Says what a seat is to this buyer: mine, gone, chosen or free. */
  stateOf(seat) {
    if (this.basket.has(seat.id)) return 'mine';
    if (!this.section?.isFree(seat) || this.gone.has(seat.id)) return 'gone';
    return this.chosen.has(seat.id) ? 'chosen' : 'free';
  }

  get chosenPlaces() {
    return [...this.chosen.values()].reduce((sum, seat) => sum + placesOf(seat), 0);
  }

  toggle(seat) {
    const state = this.stateOf(seat);
    const name = seatName(seat);
    const limit = this.basket.session.hold_limit;
    if (state === 'gone') return this.notify('info', `${name} is taken.`);
    if (state === 'mine') return this.notify('info', `${name} is already held for you.`);
    if (state === 'chosen') {
      this.chosen.delete(seat.id);
    } else if (this.chosenPlaces + placesOf(seat) > this.basket.spare) {
      return this.notify('warn', `One buyer may hold up to ${limit}. Give one back to choose another.`);
    } else {
      this.chosen.set(seat.id, seat);
    }
    this.notify();
    announce(`${name} ${state === 'chosen' ? 'no longer chosen' : 'chosen'}`);
    this.repaint();
  }

  holdChosen() {
    return this.take(() => this.basket.hold({ seats: [...this.chosen.keys()] }));
  }

  holdPlaces(area, quantity) {
    return this.take(() => this.basket.hold({ areas: { [area]: quantity } }));
  }

  holdBest(wish) {
    const { count, spare, session } = this.basket;
    if (wish.quantity > spare) {
      return this.notify('warn', `One buyer may hold up to ${session.hold_limit}, and ${count} are held already.`);
    }
    return this.take(() => this.basket.best(wish));
  }

  /** Makes a hold by `request`, one at a time, and says what came of it. */
  async take(request) {
    if (this.busy) return;
    this.busy = true;
    this.panel.button.disabled = true;
    this.panel.paint();
    try {
      const hold = await request();
      this.chosen.clear();
      const labels = await Promise.all(hold.units.map((unit) => this.labelOf(unit)));
      this.notify('good', `Held for you: ${labels.length > 2 ? `${labels.length} seats` : listText(labels)}.`);
    } catch (error) {
      await this.explainRefusal(error);
    } finally {
      this.busy = false;
      this.panel.button.disabled = false;
      this.repaint();
    }
  }

  async release(hold) {
    try {
      await this.basket.release(hold);
      this.notify('info', 'Given back.');
    } catch (error) {
      await this.explainRefusal(error);
    }
    this.repaint();
  }

  labelOf(unit) {
    return unitLabel(this.event, this.venue, unit);
  }

  // --- what goes wrong

  async explainRefusal(error) {
    if (error.code === 'seats-taken' && this.section) this.explainTaken(error.fields);
    else if (['session-expired', 'hold-expired', 'wrong-state'].includes(error.code)) await this.reload(error);
    else if (error.signedOut) showFailure(error);
    else this.notify('bad', explain(error));
  }

  explainTaken({ seats = [], for_now: forNow }) {
    for (const id of seats) {
      if (!forNow) this.gone.add(id);
      this.chosen.delete(id);
    }
    const names = seats.map((id) => {
      const seat = this.section.seat(id);
      return seat ? seatName(seat) : id;
    });
    const who = listText(names);
    const rest = this.chosen.size ? 'The others are still chosen, and not held yet.' : 'Please choose another.';
    this.notify(
      'warn',
      forNow
        ? `Somebody else is taking ${who} at this moment. If they do not, it is free again in a few seconds.`
        : `Somebody was faster: ${who} ${names.length === 1 ? 'is' : 'are'} taken. ${rest}`
    );
  }

  /** Reads the session again, because it is not what this page thought, and says what is true. */
  async reload(error) {
    try {
      this.basket = await Basket.live(this.event.event, this.signal);
      if (this.basket.session.state === 'checkout') location.hash = links.checkout(this.event.event);
      else this.notify('warn', explain(error));
    } catch {
      showSessionOver(this.event.event);
    }
  }

  // --- what others do

  /** Shows the counts of the whole venue. */
  updateCounts(counts) {
    this.counts = counts;
    this.overview.update(counts);
    this.area?.update(counts);
  }

  /** Lets go of chosen seats that others took in the open section. */
  statusesChanged() {
    if (!this.section) return; // late news of one that has been closed
    const taken = [...this.chosen.values()].filter((seat) => !this.section.isFree(seat));
    for (const seat of taken) this.chosen.delete(seat.id);
    if (taken.length && !this.busy) {
      this.notify('warn', `Just taken by somebody else: ${listText(taken.map(seatName))}.`);
    }
    this.repaint();
  }

  outdated() {
    this.notify('warn', 'The map is not up to date at this moment. Seats that you hold are safe.');
  }

  /** Shows the time left; returns whether it is over. */
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
      showSessionOver(this.event.event);
      return true;
    }
    return false;
  }
}

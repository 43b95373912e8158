// Inside: one map from the venue to the seat, general admission, and the basket with its clock.

import { loadSection, placeName, placesOf, seatName, tiersOf, unitLabel } from './catalog.js';
import { announce, h, show } from './dom.js';
import { clockText, listText } from './format.js';
import { Basket } from './holds.js';
import { links } from './links.js';
import { rankedTiers } from './map/tiers.js';
import { Offers } from './offers.js';
import { showFailure } from './page.js';
import { Panel } from './panel.js';
import { explain } from './problems.js';
import { AreaForm } from './sale-area.js';
import { SeatList } from './seat-list.js';
import { showSessionOver } from './session-over.js';
import { Toasts } from './toast.js';
import { say } from './words.js';

const WARN_S = 60;

export class Sale {
  /** `parts`: what venue-map.js exports. */
  constructor(event, venue, basket, { parts, signal }) {
    const { HotPlaces, MapStage, PlaceList } = parts;
    Object.assign(this, { event, venue, basket, signal, parts });
    this.tiers = tiersOf(event);
    this.chosen = new Map(); // seat id → seat
    this.gone = new Set(); // seats that a refusal named; the next update knows them too
    this.busy = false;
    this.asList = false;
    this.list = null; // the SeatList of the section that is shown
    this.area = null; // the AreaForm that is shown
    this.clocks = [
      h('span', { class: 'clock', role: 'timer', 'aria-label': say('sale-time') }),
      h('span', { class: 'clock' })
    ];
    this.toasts = new Toasts(() => this.map.focus());
    this.offers = new Offers(this);
    this.hot = new HotPlaces();
    this.heldAt = null; // the section that the page goes to by itself, because of what was held there
    this.map = new MapStage(event, venue, signal, {
      go: (place) => this.go(place),
      settled: (place) => this.go(place),
      stateOf: (seat) => this.stateOf(seat),
      toggle: (seat) => this.toggle(seat),
      filtered: (hidden) => this.places.filter(hidden),
      changed: () => this.statusesChanged(),
      stale: () => this.outdated()
    });
    this.places = new PlaceList(venue, rankedTiers(event), event.currency, (place) => this.go(place));
    this.panel = new Panel(this);
    this.title = h('h1', {});
    const back = (e) => {
      e.preventDefault(); // the way out is a step back, not a new one
      this.go('');
    };
    const backName = { 'aria-label': say('sale-to-venue'), onclick: back };
    this.backLink = h('a', { class: 'back', href: links.sale(event.event), ...backName }, '‹');
    this.listButton = h('button', { class: 'quiet', onclick: () => this.switchList() });
    this.listHolder = h('div', { class: 'list-holder' });
    this.stage = h('div', { class: 'stage' }, this.map.element, this.listHolder, this.toasts.element);
    this.element = h(
      'div',
      { class: 'sale', onfocusin: (e) => this.panel.givesWay(e) },
      h('div', { class: 'sale-head' }, this.backLink, this.title, this.listButton, this.clocks[0]),
      this.stage,
      this.panel.element,
      this.panel.bar
    );
  }

  /** Goes to a place, '' the whole venue: back leads from any place to the venue. */
  go(place) {
    const route = links.sale(this.event.event, place);
    this.panel.draw(false);
    if (!place && this.entered) history.back();
    else if (this.place) location.replace(route);
    else location.hash = route;
    this.entered ||= !this.place && Boolean(place);
  }

  /** Shows a sentence over the map; without one, none. */
  notify(kind, text, options) {
    if (text) this.toasts.show(kind, text, options);
    else this.toasts.clear();
  }

  // --- what the stage shows

  /** Shows the venue, a section or an area; `byItself`: because of what is held there. */
  async open(id, byItself = false) {
    const opening = {};
    this.opening = opening;
    this.place = id || '';
    this.entered &&= Boolean(id);
    this.area = null;
    this.list = null;
    const area = (this.venue.areas || []).find((a) => a.id === id);
    const section = this.venue.sections.find((s) => s.id === id);
    this.title.textContent = area?.name || (section ? this.sectionName(id) : this.event.name);
    this.panel.setSection(section?.id, section && this.sectionName(id), byItself);
    this.backLink.hidden = !id;
    this.listButton.hidden = !section;
    this.map.show(id);
    if (area) this.showArea(area);
    if (this.asList && section) await this.showList(opening);
    else this.showMap();
    this.panel.paint();
  }

  sectionName(id) {
    return placeName(this.venue.sections.find((section) => section.id === id)?.name || id);
  }

  showMap() {
    this.asList = false;
    this.listButton.textContent = say('sale-show-list');
    this.map.element.hidden = false;
    this.listHolder.hidden = true;
  }

  async switchList() {
    if (this.asList) this.showMap();
    else await this.showList(this.opening);
  }

  async showList(opening) {
    const layout = await loadSection(this.event, this.place);
    if (opening !== this.opening) return; // the buyer went on meanwhile
    this.asList = true;
    const shared = {
      tiers: this.tiers,
      currency: this.event.currency,
      stateOf: (seat) => this.stateOf(seat),
      toggle: (seat) => this.toggle(seat)
    };
    this.list = new SeatList(layout, shared);
    this.listButton.textContent = say('sale-show-map');
    show(this.listHolder, this.list.element);
    this.map.element.hidden = true;
    this.listHolder.hidden = false;
  }

  showArea(area) {
    this.area = new AreaForm(this, area);
    this.area.update(this.counts);
    this.map.showArea(this.area.element);
  }

  repaint() {
    if (this.asList) this.list?.update();
    this.paintOwn();
    this.panel.paint();
  }

  /** Marks on the map what is chosen and what is held. */
  async paintOwn() {
    const { CHOSEN, MINE } = this.parts;
    const own = new Map([...this.chosen.values()].map((seat) => [seat.id, { ...seat, state: CHOSEN }]));
    const held = this.basket.units.filter((unit) => unit.seat);
    await Promise.all(
      held.map(async (unit) => {
        const layout = await loadSection(this.event, unit.section).catch(() => null); // then it is not marked
        const seat = layout?.byId.get(unit.seat);
        if (seat) own.set(seat.id, { ...seat, state: MINE });
      })
    );
    this.map.setOwn(own);
  }

  // --- choosing and holding

  /** Says what a seat is to this buyer: mine, gone, chosen or free. */
  stateOf(seat) {
    if (this.basket.has(seat.id)) return 'mine';
    if (!this.map.isFree(seat) || this.gone.has(seat.id)) return 'gone';
    return this.chosen.has(seat.id) ? 'chosen' : 'free';
  }

  get chosenPlaces() {
    return [...this.chosen.values()].reduce((sum, seat) => sum + placesOf(seat), 0);
  }

  toggle(seat) {
    const state = this.stateOf(seat);
    const name = seatName(seat);
    const limit = this.basket.session.hold_limit;
    if (state === 'gone') return this.notify('info', say('sale-seat-taken', { seat: name }));
    if (state === 'mine') return this.notify('info', say('sale-seat-mine', { seat: name }));
    if (state === 'chosen') {
      this.chosen.delete(seat.id);
    } else if (this.chosenPlaces + placesOf(seat) > this.basket.spare) {
      return this.notify('warn', say('sale-limit', { limit }));
    } else {
      this.chosen.set(seat.id, seat);
    }
    this.map.setLost([]);
    this.notify();
    announce(say(state === 'chosen' ? 'sale-seat-unchosen' : 'sale-seat-chosen', { seat: name }));
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
      return this.notify('warn', say('sale-limit-held', { limit: session.hold_limit, count }));
    }
    return this.take(() => this.basket.best(wish), wish);
  }

  /** Makes a hold by `request`, one at a time, and says what came of it; `wish` found it. */
  async take(request, wish) {
    if (this.busy) return;
    this.busy = true;
    this.panel.button.disabled = true;
    this.panel.paint();
    try {
      const hold = await request();
      if (hold) await this.showHeld(hold, wish);
    } catch (error) {
      await this.explainRefusal(error);
    } finally {
      this.busy = false;
      this.panel.button.disabled = false;
      this.repaint();
    }
  }

  /** Says what is held now, and shows it on the map; what was found may be changed for others. */
  async showHeld(hold, wish) {
    this.chosen.clear();
    this.map.setLost([]);
    if (wish) this.offers.found(hold, wish);
    const [seats, names] = await Promise.all([this.offers.seatsOf(hold.units), this.offers.namesOfHold(hold)]);
    this.panel.draw(false);
    if (wish && seats.length) this.goToSeats(seats);
    const action = this.offers.hasOthers(hold) && {
      text: say('offer-others'),
      label: say('offer-others-label', { seats: names }),
      act: () => this.offers.others(hold)
    };
    this.notify('good', say('sale-held', { seats: names }), { action });
  }

  goToSeats(seats) {
    this.showMap();
    const [{ section }] = seats;
    const together = seats.every((seat) => seat.section === section);
    this.map.showSeats(seats, together ? section : this.place);
    if (!together || section === this.place) return;
    this.heldAt = section;
    this.go(section);
  }

  async release(hold) {
    try {
      await this.basket.release(hold);
      this.notify('info', say('sale-given-back'));
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
    if (error.code === 'seats-taken') await this.explainTaken(error.fields);
    else if (['session-expired', 'hold-expired', 'wrong-state'].includes(error.code)) await this.reload(error);
    else if (error.signedOut) showFailure(error);
    else this.notify('bad', explain(error));
  }

  async explainTaken({ seats = [], for_now: forNow }) {
    const asked = [...this.chosen.values()];
    const lost = asked.filter((seat) => seats.includes(seat.id));
    const names = seats.map((id) => (this.chosen.has(id) ? seatName(this.chosen.get(id)) : id));
    for (const id of seats) {
      if (!forNow) this.gone.add(id);
      this.chosen.delete(id);
    }
    const what = listText(names);
    const rest = say(this.chosen.size ? 'sale-faster-others' : 'sale-faster-choose');
    const text = forNow
      ? say('sale-being-taken', { seats: what })
      : `${say('sale-faster', { seats: what, count: names.length })} ${rest}`;
    await this.tellLost(text, lost, asked);
  }

  /** Says which seats of those that were `asked` for are lost, marks them, and offers the nearest free ones. */
  async tellLost(text, lost, asked) {
    this.panel.draw(false);
    this.notify('warn', text, { stays: true });
    this.map.setLost(lost, this.toasts.element);
    const action = lost.length && (await this.offers.instead(lost, asked).catch(() => null)); // then nothing is offered
    if (!action || this.toasts.text !== text) return;
    this.notify('warn', text, { stays: true, action });
    this.map.setLost(lost, this.toasts.element);
  }

  /** Reads the session again, because it is not what this page thought, and says what is true. */
  async reload(error) {
    try {
      this.basket = await Basket.live(this.event.event, this.signal);
      if (this.basket.session.state === 'checkout') location.hash = links.checkout(this.event.event);
      else this.notify('warn', explain(error));
    } catch {
      showSessionOver(this.event.event, this.signal);
    }
  }

  // --- what others do

  /** Shows the counts of the whole venue. */
  updateCounts(counts) {
    this.counts = counts;
    this.map.update(counts);
    this.places.update(counts);
    this.area?.update(counts);
    const hot = this.hot.see(counts, performance.now(), { open: this.place, quiet: this.toasts.shown });
    if (hot) this.notify('info', say('map-hot', { place: this.placeNameOf(hot) }));
  }

  placeNameOf(id) {
    return (this.venue.areas || []).find((area) => area.id === id)?.name || this.sectionName(id);
  }

  /** Lets go of chosen seats that others took. */
  statusesChanged() {
    const taken = [...this.chosen.values()].filter((seat) => !this.map.isFree(seat));
    const asked = [...this.chosen.values()];
    for (const seat of taken) this.chosen.delete(seat.id);
    if (taken.length && !this.busy) {
      this.tellLost(say('sale-just-taken', { seats: listText(taken.map(seatName)) }), taken, asked);
    }
    this.repaint();
  }

  outdated() {
    this.notify('warn', say('sale-outdated'), { stays: true });
  }

  /** Shows the time left; returns whether it is over. */
  tick() {
    const left = this.basket.secondsLeft;
    for (const clock of this.clocks) {
      clock.textContent = say('sale-time-left', { time: clockText(left) });
      clock.classList.toggle('low', left <= WARN_S);
    }
    if (left <= WARN_S && !this.warned) {
      this.warned = true;
      announce(say('sale-one-minute'));
    }
    if (left <= 0 && !this.ended) {
      this.ended = true;
      showSessionOver(this.event.event, this.signal);
      return true;
    }
    return false;
  }
}

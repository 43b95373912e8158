// One picture from the whole venue to a seat: it draws what the camera sees, and says what was pointed at.

import { announce, h } from '../dom.js';
import { middle } from '../outline.js';
import { say } from '../words.js';
import { between, boxAround, boxOf, Camera } from './camera.js';
import { readColours } from './colours.js';
import { Ground } from './ground.js';
import { Gestures } from './input.js';
import { Labels } from './labels.js';
import { Minimap } from './minimap.js';
import { levelOf, placesOfVenue, priceText, updatePlaces } from './places.js';
import { FREE, Scene } from './scene.js';
import { rankedTiers } from './tiers.js';
import { seatAt, targetAt } from './targets.js';
import { step } from './walk.js';

const FLY_MS = 220;
const REST_MS = 250;
const BAND_PX = 2.9; // a seat's size on the screen up to which bands of price are drawn
const SEAT_PX = 13; // … from which seats are chosen
const FOCUS_PX = 24; // … to which a seat is brought for the keyboard
const NEAR_PX = 34; // … at which a place is shown at the most
const SEAT_PX_MAX = 56;
const RATIO_MAX = 2; // more pixels cost time that no eye sees
const CLOSER = 2.5;
const AROUND = 4; // spacings to be seen around seats
const FRAME = 48; // px between the focused seat and the edge

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export class SeatMap {
  /**
   * `on`: place(id), seat(i), mark(i or null, how), placeMark(place or null, at), settled(id), want(section). They are
   * called for what the buyer does: goes to a place, chooses a seat, points at one, comes to rest. `embedded`: the map
   * is a part of a page that scrolls. The operators' map has more: drag(dx, dy, at), which is true where it is not a
   * movement of the camera, and its own Scene and Labels.
   */
  constructor(venue, event, on) {
    Object.assign(this, { venue, event, on });
    this.tiers = rankedTiers(event);
    this.places = placesOfVenue(venue);
    this.shapes = (venue.shapes || []).map((shape) => ({
      ...shape,
      box: boxOf(shape.outline),
      middle: middle(shape.outline)
    }));
    this.camera = new Camera();
    const stages = this.shapes.filter((shape) => shape.kind !== 'other');
    this.camera.home = boxAround([...this.places, ...stages].map((one) => one.box));
    this.scene = null;
    this.marked = null; // the seat that is pointed at or focused
    this.cursor = null; // the seat of the keyboard
    this.markedPlace = null;
    this.ownSeats = [];
    this.lost = []; // seats that another buyer took from this one
    this.covered = {}; // px at the top and the bottom that something lies over
    this.place = ''; // what is shown; '' is the whole venue
    this.hidden = new Set();
    this.names = new Map(); // section → the numbers of its seats
    this.build();
  }

  build() {
    const canvas = (name) => h('canvas', { class: name, 'aria-hidden': 'true' });
    this.layers = [canvas('map-ground'), canvas('map-seats')];
    this.front = h('canvas', {
      class: 'map-front',
      tabindex: 0,
      role: 'application',
      'aria-label': say('map-label', { venue: this.venue.name }),
      onkeydown: (e) => this.key(e),
      onblur: (e) => {
        if (this.how === 'key' && !this.element.contains(e.relatedTarget)) this.mark(null);
      }
    });
    this.ground = new Ground(this.layers[0], this.places, this.shapes);
    this.labels = new (this.on.Labels ?? Labels)(this.front);
    this.minimap = new Minimap((x, y) => this.moveTo(this.camera.inside(this.centred(x, y))));
    const zoom = (name, sign, act) => h('button', { 'aria-label': name, onclick: act }, sign);
    this.buttons = h(
      'div',
      { class: 'map-zoom', role: 'group', 'aria-label': say('map-zoom') },
      zoom(say('map-zoom-in'), '+', () => this.zoomBy(1.6)),
      zoom(say('map-zoom-out'), '−', () => this.zoomBy(1 / 1.6)),
      zoom(say('map-whole'), '⤢', () => this.goHome())
    );
    this.element = h('div', { class: 'map', dir: 'ltr' }, this.layers, this.front, this.minimap.element, this.buttons);
    this.gestures = new Gestures(this.front, {
      pan: (dx, dy, at) => this.on.drag?.(dx, dy, at) || this.moveTo(this.camera.panned(dx, dy)),
      zoom: (factor, at) => this.moveTo(this.camera.zoomed(factor, at)),
      tap: (at, type) => this.tapped(at, type),
      twice: (at) => this.fly(this.camera.zoomed(CLOSER, at)),
      hover: (at) => this.hover(at),
      rest: () => this.restSoon(),
      // On a page that scrolls, a wheel that passes over the map scrolls on.
      takesWheel: (e) => !this.on.embedded || e.ctrlKey || document.activeElement === this.front
    });
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(this.element);
    this.dark = matchMedia('(prefers-color-scheme: dark)');
    this.dark.addEventListener('change', (this.recolour = () => this.readColours()));
  }

  close() {
    this.closed = true;
    this.watcher.disconnect();
    this.dark.removeEventListener('change', this.recolour);
    this.renderer?.close();
  }

  readColours() {
    this.colours = readColours(this.element);
    this.minimap.outdate();
    this.later();
  }

  // --- what there is to show

  /** Shows the seats of `pictures` (the sections of seats.json); loads the renderer that this browser can use. */
  async setPictures(pictures) {
    const scene = new (this.on.Scene ?? Scene)(this.venue, pictures, this.tiers);
    this.renderer = await this.makeRenderer(scene);
    if (this.closed) return;
    this.scene = scene;
    for (const place of this.places) place.section = scene.byId.get(place.id);
    this.camera.scaleMax = SEAT_PX_MAX / scene.pitch;
    this.scene.filter(this.hidden, this.accessibleOnly);
    if (!this.moved) this.show(this.place, true);
    this.later();
  }

  /** Shows the picture below the chart: an image, and its box as the venue tells. */
  setBackground(image) {
    this.ground.picture = { image, ...this.venue.picture };
    this.statesChanged();
  }

  async makeRenderer(scene) {
    try {
      const { GlRenderer } = await import('./gl.js');
      return new GlRenderer(this.layers[1], scene, () => this.later());
    } catch {
      const { CanvasRenderer } = await import('./canvas.js');
      const plain = h('canvas', { class: 'map-seats', 'aria-hidden': 'true' }); // one canvas has one kind of context
      Object.assign(plain, { width: this.layers[1].width, height: this.layers[1].height });
      this.layers[1].replaceWith(plain);
      this.layers[1] = plain;
      return new CanvasRenderer(plain, scene);
    }
  }

  /** Shows how many places sections and areas have left. */
  setCounts(counts) {
    updatePlaces(this.places, counts);
    this.statesChanged();
  }

  /** Draws again what seats are: after changes of the scene. */
  statesChanged() {
    this.minimap.outdate();
    this.later();
  }

  /** Marks the buyer's own seats: Map of seat in the scene → CHOSEN or MINE. */
  setOwn(own) {
    if (!this.scene) return;
    this.ownSeats = [...own.keys()];
    this.scene.setOwn(own);
    this.later();
  }

  /** Marks seats that another buyer took from this one. */
  setLost(seats) {
    this.lost = seats;
    if (seats.length) this.reach(seats[0]);
    this.later();
  }

  /** Turns the seats of these tiers grey; with `accessibleOnly` all that have no space for a wheelchair, too. */
  filter(hidden, accessibleOnly) {
    Object.assign(this, { hidden, accessibleOnly });
    this.scene?.filter(hidden, accessibleOnly);
    this.statesChanged();
  }

  /** Keeps the numbers of a section's seats, to be written on them. */
  setNumbers(section, numbers) {
    this.names.set(section, numbers);
    this.later();
  }

  // --- the camera

  resize() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    const { camera } = this;
    const first = !camera.width;
    const centre = camera.toDrawing(camera.width / 2, camera.height / 2);
    Object.assign(camera, { width, height });
    this.ratio = Math.min(RATIO_MAX, devicePixelRatio || 1);
    for (const layer of [...this.layers, this.front]) {
      layer.width = Math.round(width * this.ratio);
      layer.height = Math.round(height * this.ratio);
    }
    if (first) this.readColours();
    if (this.moved) camera.view = camera.inside(this.centred(centre.x, centre.y));
    else this.show(this.place, true);
    this.paint(); // at once: a canvas that was resized is empty
  }

  centred(x, y, scale = this.camera.scale) {
    const { width, height } = this.camera;
    return { scale, x: width / 2 - x * scale, y: height / 2 - y * scale };
  }

  get seatPx() {
    return (this.scene?.pitch ?? 0) * this.camera.scale;
  }

  /** Shows a place whole, '' the whole venue. */
  show(id, atOnce = false) {
    this.place = id || '';
    this.moved = false;
    const place = this.places.find((one) => one.id === id);
    const box = place ? place.section?.box || place.box : this.camera.home;
    const pad = this.scene && place?.section ? this.scene.pitch * 1.5 : 0;
    const wide = { x0: box.x0 - pad, y0: box.y0 - pad, x1: box.x1 + pad, y1: box.y1 + pad };
    const nearest = this.scene && place ? NEAR_PX / this.scene.pitch : undefined;
    const view = this.camera.width && this.camera.fitted(wide, nearest);
    if (!view) return;
    if (atOnce) this.camera.view = view;
    else this.fly(view, false);
    this.later();
  }

  /** Shows the surroundings of seats, as of the section or the venue `id`. */
  showSeats(seats, id) {
    this.show(id);
    const { scene, camera } = this;
    const box = boxOf(seats.map((i) => [scene.x[i], scene.y[i]]));
    const pad = scene.pitch * AROUND;
    const wide = { x0: box.x0 - pad, y0: box.y0 - pad, x1: box.x1 + pad, y1: box.y1 + pad };
    this.fly(camera.fitted(wide, NEAR_PX / scene.pitch));
  }

  /** Brings a seat into view by the least movement. */
  reach(i) {
    const { scene, camera } = this;
    this.fly(camera.reaching(scene.x[i], scene.y[i], FRAME + this.seatPx, this.covered));
  }

  goHome() {
    if (this.place) this.on.place('');
    else this.show('');
  }

  moveTo(view) {
    this.flight = null;
    this.moved = true;
    this.camera.view = view;
    this.later();
  }

  zoomBy(factor) {
    this.fly(this.camera.zoomed(factor));
  }

  fly(view, moved = true) {
    this.moved = moved;
    if (still()) this.camera.view = view;
    else this.flight = { from: this.camera.view, to: view, since: performance.now() };
    this.later();
    this.restSoon();
  }

  restSoon() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rest(), REST_MS + FLY_MS);
  }

  /** Says where the buyer has come to rest: at the whole venue, or at a place. */
  rest() {
    if (this.closed || !this.scene) return;
    const { camera } = this;
    const near = camera.scale > camera.homeScale * 1.3;
    const sees = this.seatPx >= SEAT_PX;
    const centre = targetAt(this, { x: camera.width / 2, y: camera.height / 2 }, Infinity)[0];
    if (!near) this.settle('');
    else if (sees && centre?.kind === 'section') this.settle(centre.id);
    this.on.want(sees && centre?.kind === 'section' ? centre.id : '', this.sectionsInView());
  }

  settle(id) {
    if (id === this.place || !this.moved) return;
    this.place = id;
    this.on.settled(id);
  }

  sectionsInView() {
    const [from, to] = [this.camera.toDrawing(0, 0), this.camera.toDrawing(this.camera.width, this.camera.height)];
    return (this.scene?.sections || []).filter(
      ({ box, pitch }) =>
        box.x1 + pitch > from.x && box.y1 + pitch > from.y && box.x0 - pitch < to.x && box.y0 - pitch < to.y
    );
  }

  numbersOf(section) {
    return this.names.get(section.id);
  }

  // --- drawing

  later() {
    if (this.frame || this.closed) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
    });
  }

  paint() {
    const { camera, ratio } = this;
    if (!camera.width || this.closed) return;
    if (this.flight) {
      const t = Math.min(1, (performance.now() - this.flight.since) / FLY_MS);
      camera.view = between(this.flight.from, this.flight.to, 1 - (1 - t) ** 3);
      if (t < 1) this.later();
      else this.flight = null;
    }
    this.ground.draw(camera.view, ratio, this.colours.texts, (place) => this.groundFill(place));
    if (this.scene) this.paintSeats();
    this.labels.draw(this, ratio);
    this.minimap.show(camera, ratio, this.colours.texts, (pen, view) =>
      this.ground.drawOn(pen, view, this.colours.texts, (place) => this.mainFill(place), 2 * ratio)
    );
    this.on.painted?.();
  }

  paintSeats() {
    const seen = this.sectionsInView();
    const [from, to] = seen.length ? [seen[0].from, seen[seen.length - 1].to] : [0, 0];
    const near = Math.max(0, Math.min(1, this.seatPx - BAND_PX));
    const dirty = this.scene.takeDirty();
    this.renderer.draw(this.camera.view, { from, to, near, ratio: this.ratio, colours: this.colours, dirty });
    if (!this.painted) performance.mark('map-first-picture');
    this.painted = true;
  }

  /** Returns the tiers of a place that are left and shown, cheapest first. */
  offered(place) {
    if (place.left === 0) return [];
    const tiers = place.section
      ? this.scene.offers(place.section).flatMap(({ tier, free }) => (free ? [tier] : []))
      : place.tiers.map((id) => this.tiers.get(id)).filter((tier) => tier && !this.hidden.has(tier.id));
    return tiers.sort((a, b) => a.whole_minor - b.whole_minor);
  }

  mainFill(place) {
    const tiers = this.offered(place);
    return tiers.length ? this.colours.texts.tiers[tiers[tiers.length - 1].colour] : this.colours.texts.taken;
  }

  groundFill(place) {
    return place.section ? '' : this.mainFill(place);
  }

  /** What is written on a place: its name, and its price or why there is none. */
  wordsOf(place) {
    const price = priceText(this.offered(place), this.event.currency);
    const none = levelOf(place) === 'none' ? say('map-sold-out') : ''; // else the filter hides what is left
    return { name: place.short, price: price || none, none: !price };
  }

  // --- pointing

  tapped(at, type) {
    if (this.scene && this.seatPx >= SEAT_PX) {
      const i = seatAt(this, at);
      if (i >= 0) {
        this.cursor = i;
        this.mark(i, type);
        this.on.seat(i, type);
        return true;
      }
    }
    const targets = targetAt(this, at);
    this.mark(null);
    if (targets.length > 1) this.fly(this.camera.zoomed(CLOSER, at));
    else if (!targets.length) return false;
    else if (targets[0].id === this.place && targets[0].section) this.closer(at);
    else this.on.place(targets[0].id);
    return true;
  }

  /** Looks closer at the seats next to a point: a section may be a ring with nothing in its middle. */
  closer(at) {
    const { scene, camera } = this;
    const { x, y } = camera.toDrawing(at.x, at.y);
    const i = scene.grid.nearest(x, y, Infinity);
    const { scale } = camera.zoomed(Math.max(CLOSER, SEAT_PX / this.seatPx));
    this.fly(camera.inside(this.centred(scene.x[i], scene.y[i], scale)));
  }

  hover(at) {
    if (this.gestures.pointers.size) return;
    const i = at && this.scene && this.seatPx >= SEAT_PX ? seatAt(this, at, 0.6) : -1;
    if (i >= 0) this.mark(i, 'hover');
    else if (this.how === 'hover') this.mark(null);
    const place = at && i < 0 && this.seatPx < SEAT_PX ? targetAt(this, at, 2)[0] : null;
    this.front.style.cursor = i >= 0 || place ? 'pointer' : 'grab';
    this.on.placeMark(place || null, at);
  }

  /** Marks a seat as pointed at (`how`: hover, key, or a kind of pointer), or none. */
  mark(i, how = '') {
    if (i === this.marked && how === this.how) return;
    Object.assign(this, { marked: i, how });
    this.on.mark(i, how);
    this.later();
  }

  // --- keys

  key(e) {
    if (ARROWS[e.key]) {
      e.preventDefault();
      this.arrow(ARROWS[e.key]);
    } else if (e.key === 'Enter' || e.key === ' ') {
      e.preventDefault();
      if (this.cursor !== null) this.on.seat(this.cursor, 'key');
      else if (this.markedPlace) this.enter(this.markedPlace.id);
    } else if (e.key === '+' || e.key === '=' || e.key === '-') this.zoomBy(e.key === '-' ? 1 / 1.6 : 1.6);
    else if (e.key === 'Escape') this.escape();
  }

  /** Goes to a place at once: the next key is pressed before the page's address has changed. */
  enter(id) {
    this.show(id);
    this.on.place(id);
  }

  escape() {
    const had = this.cursor !== null || this.markedPlace;
    this.cursor = this.markedPlace = null;
    this.mark(null);
    this.on.placeMark(null);
    if (!had || this.place) this.goHome();
  }

  arrow(way) {
    const section = this.scene?.byId.get(this.place);
    if (!this.scene || (!section && this.seatPx < SEAT_PX)) {
      this.arrowToPlace(way);
      return;
    }
    const { scene, camera } = this;
    const centre = camera.toDrawing(camera.width / 2, camera.height / 2);
    const first = section ? section.from : scene.grid.nearest(centre.x, centre.y, Infinity);
    this.cursor = this.cursor === null ? first : step(scene, this.cursor, way);
    const closer = Math.max(1, FOCUS_PX / this.seatPx);
    const at = camera.toScreen(scene.x[this.cursor], scene.y[this.cursor]);
    if (closer > 1) camera.view = camera.zoomed(closer, at);
    this.reach(this.cursor);
    this.mark(this.cursor, 'key');
  }

  arrowToPlace([dx, dy]) {
    const from = this.markedPlace?.middle;
    let best = from ? null : this.places[0];
    let least = Infinity;
    for (const place of from ? this.places : []) {
      const ahead = (place.middle.x - from.x) * dx + (place.middle.y - from.y) * dy;
      const aside = Math.abs((place.middle.x - from.x) * dy + (place.middle.y - from.y) * dx);
      if (ahead > 0 && ahead >= aside * 0.5 && ahead + 2 * aside < least) {
        least = ahead + 2 * aside;
        best = place;
      }
    }
    if (!best) return;
    this.markedPlace = best;
    const { name, price } = { ...this.wordsOf(best), name: best.name };
    announce(`${name}, ${price}`);
    this.on.placeMark(best, this.camera.toScreen(best.middle.x, best.middle.y));
    this.later();
  }

  /** Whether others have left a seat free. */
  isFree(sectionId, index) {
    const section = this.scene?.byId.get(sectionId);
    return Boolean(section) && this.scene.base[section.from + index] === FREE;
  }
}

// The venue on a screen of the console: sections coloured by a figure, or seats with what they are.

import { useEffect, useRef, useState } from 'preact/hooks';
import { OperatorsMap } from './operators-map.js';
import { STATES } from './picks.js';
import { readPicture, readSeats, readSection } from './venue.js';

const NUMBERS_PX = 20;
const NO_SEATS = 'The seats could not be loaded. Load the page again.';
const DETAILS_MAX = 8; // sections in view whose seats' numbers are loaded

/**
 * Draws the venue.
 *
 * @param {object} props
 * @param {object} props.venue as `readVenue` returns it
 * @param {string} props.kind "heat" or "seats": which colours the map has, and whether seats are drawn
 * @param {(place: object) => number | null} props.stepOf the number of a place's colour
 * @param {(place: object) => string} props.noteOf what is written below a place's name
 * @param {Uint8Array} [props.codes] what each seat is
 * @param {Set<number>} [props.chosen] the seats that are chosen
 * @param {boolean} [props.boxes] whether a finger chooses, and does not move the map
 * @param {(seat: number, scene: object) => void} [props.onSeat] a seat was chosen
 * @param {(seats: number[]) => void} [props.onBox] seats were framed
 * @param {(id: string, scene: object) => boolean} [props.onPlace] a section was chosen; true: the map stays where it is
 * @param {{id: string}} [props.at] the section to go to; another object goes there again
 * @param {(scene: object) => void} [props.onReady] the seats are there
 */
export function VenueMap(props) {
  const { venue, kind, codes, chosen, boxes, at } = props;
  const holder = useRef(null);
  const shown = useRef(null);
  const latest = useRef(props);
  latest.current = props;
  const [says, setSays] = useState('');

  useEffect(() => {
    const map = makeMap(venue, latest, setSays);
    shown.current = map;
    holder.current.append(map.element);
    if (kind === 'seats') addSeats(map, venue, latest).catch(() => setSays(NO_SEATS));
    return () => {
      map.close();
      map.element.remove();
      shown.current = null;
    };
  }, [venue]);

  useEffect(() => {
    if (at) shown.current.show(at.id);
  }, [at]);

  useEffect(() => {
    const map = shown.current;
    if (codes) map.setCodes(codes);
    if (chosen) map.setChosen(chosen);
    map.sayAgain();
  }, [codes, chosen]);

  useEffect(() => {
    shown.current.statesChanged(); // the colours and notes of places may be others
  });

  return (
    <div class={`venue-map ${kind}`}>
      <div ref={holder} class={boxes ? 'map-holder boxing' : 'map-holder'} />
      <p class="map-says dim" aria-hidden="true">
        {says || 'Point at a place to read what it is.'}
      </p>
      <p id="live" class="hidden-text" aria-live="polite" />
    </div>
  );
}

function makeMap(venue, latest, setSays) {
  const names = new Map(venue.sections.map((one) => [one.id, one.name || one.id]));
  const map = new OperatorsMap(venue, {
    embedded: true,
    stepOf: (place) => latest.current.stepOf(place),
    noteOf: (place) => latest.current.noteOf(place),
    boxes: () => latest.current.boxes ?? false,
    boxed: (seats) => latest.current.onBox?.(seats),
    seat: (i) => latest.current.onSeat?.(i, map.scene),
    place: (id) => {
      if (!latest.current.onPlace?.(id, map.scene)) map.show(id);
    },
    settled: () => {},
    mark: (i, how) => mark(i, how),
    placeMark: (place) => {
      if (!place && map.marked !== null) return; // what is said of a seat stays
      setSays(place ? `${place.name}, ${latest.current.noteOf(place)}` : '');
    },
    want: (_, inView) => {
      if (map.seatPx < NUMBERS_PX) return;
      for (const { id } of inView.slice(0, DETAILS_MAX)) number(id).catch(() => {}); // numbers only
    }
  });

  async function number(id) {
    const section = await readSection(venue, id);
    const numbers = section.all.map((seat) => seat.number);
    if (!map.names.has(id)) map.setNumbers(id, numbers);
    return numbers;
  }

  async function mark(i, how) {
    if (i === null) return setSays('');
    const { scene } = map;
    const section = scene.sections[scene.section[i]];
    const numbers = await number(section.id).catch(() => []);
    if (map.marked !== i) return undefined;
    const row = scene.rows[scene.row[i]].name;
    const states = [STATES[scene.codeOf(i)], scene.chosen?.has(i) && 'chosen'].filter(Boolean);
    const text = `${names.get(section.id)}, row ${row}, seat ${numbers[i - section.from] ?? ''}: ${states.join(', ')}`;
    setSays(text);
    const live = document.getElementById('live');
    if (how === 'key' && live) live.textContent = text;
    return undefined;
  }

  map.sayAgain = () => map.marked !== null && mark(map.marked, map.how);
  return map;
}

async function addSeats(map, venue, latest) {
  await map.setPictures(await readSeats(venue));
  if (map.closed) return;
  const { codes, chosen, onReady } = latest.current;
  if (codes) map.setCodes(codes);
  if (chosen) map.setChosen(chosen);
  onReady?.(map.scene);
  if (!venue.picture) return;
  const image = await readPicture(venue).catch(() => null); // the map does without it
  if (image && !map.closed) map.setBackground(image);
}

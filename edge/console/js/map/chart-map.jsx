// The map of a chart on a screen of the console.

import { useEffect, useRef, useState } from 'preact/hooks';
import { imageOf } from '../../../web/assets/js/map/pictures.js';
import { readyWords } from '../../../web/assets/js/words.js';
import { ChartMap } from './chart-map.js';

const NOTHING = 'Point at a place to read what it is.';
const FAILED = 'The map could not be loaded. Load the page again.';

async function makeMap(drawn, event, on) {
  await Promise.all([readyWords('first'), readyWords('map')]);
  const map = new ChartMap(drawn.venue, event, { embedded: true, ...on });
  for (const { id, numbers } of drawn.seats.sections) if (numbers) map.names.set(id, numbers);
  return map;
}

async function addSeats(map, { venue, seats, picture }) {
  await map.setPictures(seats.sections);
  if (!venue.picture || !picture) return;
  const image = await imageOf(picture).catch(() => null); // the map does without it
  if (image && !map.closed) map.setBackground(image);
}

/**
 * Draws a chart.
 *
 * @param {object} props
 * @param {object} props.drawn what "venue validate" answers as `map`
 * @param {string} props.kind "priced" or "faulty": which colours it has
 * @param {object} props.event {tiers: [{id, name, whole_minor}], currency}
 * @param {(place: object, map: ChartMap) => string} props.noteOf what is written below a place's name
 * @param {(seat: object, map: ChartMap) => string} props.saidOf what is said of a seat: {i, section, row, number, tier}
 * @param {string | null} [props.lit] the tier that is shown alone
 * @param {object[]} [props.faults] what is wrong, of `faultsOf`
 * @param {number | null} [props.chosen] the number of the fault that is chosen
 * @param {{n: number}} [props.at] the fault to go to; another object goes there again
 * @param {(tier: string) => void} [props.onTier] a place of that tier was chosen
 * @param {(all: number[]) => void} [props.onFaults] the sign of one or several faults was chosen
 */
export function Chart(props) {
  const { drawn, kind, event, lit = null, faults, chosen = null, at } = props;
  const holder = useRef(null);
  const latest = useRef(props);
  latest.current = props;
  const [map, setMap] = useState(null);
  const [says, setSays] = useState('');

  useEffect(() => {
    let made = null;
    let over = false;
    setMap(null);
    makeMap(
      drawn,
      event,
      actsOn(() => made, latest, setSays)
    )
      .then(async (one) => {
        made = one;
        if (over) return one.close();
        holder.current.append(one.element);
        await addSeats(one, drawn);
        return over || setMap(one);
      })
      .catch(() => over || setSays(FAILED));
    return () => {
      over = true;
      made?.close();
      made?.element.remove();
    };
  }, [drawn]);

  useEffect(() => {
    map?.setPrices(event);
    map?.setLit(lit);
  }, [map, JSON.stringify(event), lit]);

  useEffect(() => {
    map?.setFaults(faults ?? [], chosen);
  }, [map, faults, chosen]);

  useEffect(() => {
    const one = at && faults?.find(({ n }) => n === at.n);
    if (!map || !one) return;
    map.showFault(one);
    holder.current.scrollIntoView({ block: 'nearest' });
  }, [map, at]);

  // Where a tap has led to a field, the browser's own click would fall on what the page shows there by then.
  const onlyTap = (e) => e.cancelable && e.target.tagName === 'CANVAS' && e.preventDefault();
  const told = faults?.find(({ n }) => n === chosen);
  return (
    <div class={`venue-map ${kind}`}>
      <div ref={holder} class="map-holder" aria-busy={!map && says !== FAILED} onTouchEnd={onlyTap} />
      <p class="map-says dim" aria-hidden="true">
        {says || (told ? faultText(told) : NOTHING)}
      </p>
      <p id="live" class="hidden-text" aria-live="polite" />
    </div>
  );
}

/** Names a seat of the map; rows and numbers that are not known are left out. */
export const seatText = ({ section, row, number }) =>
  [section, row && `row ${row}`, number && `seat ${number}`].filter(Boolean).join(', ');

export const faultText = ({ n, what, named }) => `${n}. ${named.length ? `${named.join('; ')}: ` : ''}${what}`;

/** What the map calls; `made()` is the map. */
function actsOn(made, latest, setSays) {
  const speak = (text) => {
    setSays(text);
    const live = document.getElementById('live');
    if (live) live.textContent = text;
  };

  const faultsSaid = (all) => speak(all.map(faultText).join(' '));

  const choose = (all) => {
    latest.current.onFaults?.(all.map(({ n }) => n));
    faultsSaid(all);
  };

  const byNumber = (all) => latest.current.faults.filter(({ n }) => all.includes(n));

  function seatOf(i) {
    const { scene, names } = made();
    const section = scene.sections[scene.section[i]];
    const place = made().places.find((one) => one.id === section.id);
    const number = names.get(section.id)?.[i - section.from] ?? '';
    return { i, section: place.name, row: scene.rows[scene.row[i]].name, number, tier: scene.tierIds[scene.tier[i]] };
  }

  return {
    noteOf: (place, map) => latest.current.noteOf(place, map),
    seat: (i) => {
      const found = made().faultsAt(i);
      if (found.length) choose(found);
      else latest.current.onTier?.(seatOf(i).tier);
    },
    place: (id) => {
      const map = made();
      const place = map.places.find((one) => one.id === id);
      const { onTier } = latest.current;
      const tiers = place ? map.tiersOf(place) : [];
      if (place && onTier && tiers.length === 1) onTier(tiers[0].id);
      else map.show(id);
      if (!place) return;
      const found = map.faultsIn(place);
      if (found.length) choose(found);
      else if (onTier && tiers.length > 1) speak(`${place.name} has ${tiers.length} tiers. Choose a seat.`);
    },
    mark: (i, how) => {
      if (i === null) return setSays('');
      const text = latest.current.saidOf(seatOf(i), made());
      return how === 'key' ? speak(text) : setSays(text);
    },
    placeMark: (place) => {
      if (!place && made().marked !== null) return; // what is said of a seat stays
      const note = place && latest.current.noteOf(place, made());
      setSays(place ? [place.name, note].filter(Boolean).join(', ') : '');
    },
    faults: (all) => choose(byNumber(all)),
    signMark: (all) => setSays(byNumber(all).map(faultText).join(' '))
  };
}

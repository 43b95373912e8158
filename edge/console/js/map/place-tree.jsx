// The venue as a list: sections, their rows and seats, and areas, to be chosen as on the map.

import { useEffect, useState } from 'preact/hooks';
import { count } from '../format.js';
import { rowsOf, seatsOf, STATES } from './picks.js';
import { readSection } from './venue.js';

/** A control for some seats: chosen, not chosen, or in part. Without `onPick` their words alone. */
function Pick({ seats, chosen, onPick, children }) {
  if (!onPick) return <span>{children}</span>;
  const some = seats.filter((seat) => chosen.has(seat)).length;
  const part = some > 0 && some < seats.length;
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={some > 0 && !part}
        ref={(box) => {
          if (box) box.indeterminate = part;
        }}
        onChange={() => onPick(seats)}
      />{' '}
      {children}
    </label>
  );
}

/** How many of some seats are what: "30 free, 2 sold". */
export function statesOf(codes, seats) {
  if (!codes) return '';
  const counts = STATES.map(() => 0);
  for (const seat of seats) counts[codes[seat]] += 1;
  return STATES.map((state, code) => counts[code] > 0 && `${count(counts[code])} ${state}`)
    .filter(Boolean)
    .join(', ');
}

/** A `details` whose content is made when it is opened. */
function Opened({ title, children }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{title}</summary>
      {open && children()}
    </details>
  );
}

function Seats({ venue, section, seats, codes, chosen, onPick }) {
  const [numbers, setNumbers] = useState(null);
  useEffect(() => {
    readSection(venue, section.id).then(
      ({ all }) => setNumbers(all.map((seat) => seat.number)),
      () => setNumbers([])
    );
  }, []);
  return (
    <div class="row">
      {seats.map((seat) => (
        <Pick key={seat} seats={[seat]} chosen={chosen} onPick={onPick}>
          {numbers?.[seat - section.from] ?? '…'} <span class="dim">{codes ? STATES[codes[seat]] : ''}</span>
        </Pick>
      ))}
    </div>
  );
}

export function PlaceTree({ venue, scene, codes, chosen, onPick, onShow }) {
  const nameOf = new Map(venue.sections.map((one) => [one.id, one.name || one.id]));
  return (
    <ul class="tree">
      {scene.sections.map((section) => (
        <li key={section.id}>
          <div class="row">
            <Pick seats={seatsOf(section)} chosen={chosen} onPick={onPick}>
              Section {nameOf.get(section.id)} <span class="dim">{statesOf(codes, seatsOf(section))}</span>
            </Pick>
            <button type="button" class="quiet push" onClick={() => onShow(section.id)}>
              Show<span class="hidden-text"> section {nameOf.get(section.id)} on the map</span>
            </button>
          </div>
          <Opened title={`Rows of ${nameOf.get(section.id)}`}>
            {() => (
              <ul>
                {rowsOf(section).map(({ name, seats }) => (
                  <li key={name}>
                    <Pick seats={seats} chosen={chosen} onPick={onPick}>
                      Row {name} <span class="dim">{statesOf(codes, seats)}</span>
                    </Pick>
                    <Opened title={`Seats of row ${name}`}>
                      {() => <Seats {...{ venue, section, seats, codes, chosen, onPick }} />}
                    </Opened>
                  </li>
                ))}
              </ul>
            )}
          </Opened>
        </li>
      ))}
    </ul>
  );
}

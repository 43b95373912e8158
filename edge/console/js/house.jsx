// House seats: what is kept from the sale, why and until when; to block more of it on the map, and to free it.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { actNamed, look, may, perform } from './acts.js';
import { useAct } from './act-form.jsx';
import { count, on } from './format.js';
import { Button, Card, Empty, Field, Loading, Notice, Refusal, Said } from './kit.jsx';
import { VenueMap } from './map/map.jsx';
import {
  BLOCKED,
  codesNow,
  FREE,
  meantBy,
  namesOf,
  saidOf,
  seatsOf,
  STATES,
  toggled,
  typed,
  UNITS
} from './map/picks.js';
import { PlaceTree, statesOf } from './map/place-tree.jsx';
import { findSeats, readCodes, readCounts, readSection, readVenue } from './map/venue.js';
import { useLook } from './use-look.js';

const EVERY_MS = 4000; // an old copy at the edge is followed by a new one at the next look
const NONE = new Set();
const FREE_COLOUR = 0;
const GONE_COLOUR = 2;

export function House({ event }) {
  const venue = useLook(async () => {
    const { layout, time_zone: zone } = await look('event show', { event });
    return { ...(await readVenue(layout)), zone };
  }, [event]);
  const blocks = useLook(() => perform('seats list', { event }), [event]);
  if (venue.problem) return <Refusal problem={venue.problem} />;
  if (!venue.data) return <Loading />;
  return <Desk event={event} venue={venue.data} blocks={blocks} />;
}

function Desk({ event, venue, blocks }) {
  const seen = useLook(() => readCodes(event, venue), [event], EVERY_MS);
  const counts = useLook(() => readCounts(event), [event], EVERY_MS);
  const kept = blocks.data?.result.blocks;
  const blocked = useLook(
    async () =>
      kept &&
      findSeats(
        venue,
        kept.flatMap((one) => one.seats)
      ),
    [kept]
  ).data;
  const draft = seen.problem?.status === 404;
  const codes = useMemo(
    () => (blocked && (seen.data || draft) ? codesNow(seen.data, blocked, seatsIn(venue)) : seen.data),
    [seen.data, blocked, draft]
  );
  const [scene, setScene] = useState(null);
  const [chosen, setChosen] = useState(NONE);
  const [unit, setUnit] = useState('row');
  const [boxes, setBoxes] = useState(false);
  const [at, setAt] = useState(null);
  const edits = may('seats block');
  const pick = (seats) => edits && setChosen((before) => toggled(before, seats));
  const framed = (seats) => setChosen((before) => new Set([...before, ...meantBy(scene, seats, unit)]));
  const free = useMemo(() => freeIn(scene, codes), [scene, codes]);
  const left = (id) => free.get(id) ?? counts.data?.areas?.[id]?.available;
  const again = () => {
    setChosen(NONE);
    blocks.again();
    seen.again();
    counts.again();
  };

  return (
    <>
      <h1>House seats</h1>
      <Card title="The venue" aside={edits && `${chosen.size > 0 ? count(chosen.size) : 'nothing is'} chosen`} wide>
        {edits && (
          <div class="row" role="group" aria-label="What a tap or Enter chooses">
            {Object.entries(UNITS).map(([name, words]) => (
              <Button key={name} class="chip" aria-pressed={unit === name} onClick={() => setUnit(name)}>
                {words}
              </Button>
            ))}
            <Button class="chip" aria-pressed={boxes} onClick={() => setBoxes(!boxes)}>
              Drag to choose
            </Button>
            <Button quiet class="push" disabled={chosen.size === 0} onClick={() => setChosen(NONE)}>
              Choose nothing
            </Button>
          </div>
        )}
        <div class="beside">
          <div>
            <VenueMap
              venue={venue}
              kind="seats"
              codes={codes}
              chosen={chosen}
              boxes={boxes}
              at={at}
              stepOf={({ id }) => (left(id) === 0 ? GONE_COLOUR : FREE_COLOUR)}
              noteOf={({ id }) => (left(id) === undefined ? '' : `${count(left(id))} free`)}
              onReady={setScene}
              onSeat={(seat, all) => pick(meantBy(all, [seat], unit))}
              onBox={framed}
              onPlace={(id, all) => {
                const section = all?.byId.get(id);
                if (edits && unit === 'section' && section) pick(seatsOf(section));
                return (edits && unit === 'section') || !section;
              }}
            />
            <ul class="scale" aria-label="What seats are">
              {STATES.map((state) => (
                <li key={state}>
                  <i class={`mark mark-${state}`} />
                  {state}
                </li>
              ))}
              {edits && (
                <li>
                  <i class="mark mark-chosen" />
                  chosen
                </li>
              )}
            </ul>
            <p class="dim">
              {draft && 'Buyers do not see this event yet.'}
              {seen.problem && !draft && `No newer news of seats: ${seen.problem.message}`}
            </p>
          </div>
          <div class="scrolled" role="region" aria-label="Sections as a list" tabIndex={0}>
            {scene ? (
              <PlaceTree
                venue={venue}
                scene={scene}
                codes={codes}
                chosen={chosen}
                onPick={edits && pick}
                onShow={(id) => setAt({ id })}
              />
            ) : (
              <Loading />
            )}
          </div>
        </div>
      </Card>
      <div class="board">
        <Blocks event={event} zone={venue.zone} blocks={blocks} onDone={again} />
        {edits && (
          <Block event={event} venue={venue} scene={scene} chosen={chosen} codes={codes} onDone={again} left={left} />
        )}
      </div>
    </>
  );
}

/** Returns how many seats of each section are free. */
function freeIn(scene, codes) {
  const sections = scene && codes ? scene.sections : [];
  return new Map(
    sections.map(({ id, from, to }) => [id, codes.subarray(from, to).reduce((sum, code) => sum + (code === FREE), 0)])
  );
}

const seatsIn = ({ sections }) => sections.reduce((sum, { seats }) => sum + seats, 0);

/** A time as the act takes it: by the clock of the event, or by the reader's where the event has no zone. */
const moment = (text, zone) => (text && !zone ? new Date(text).toISOString() : text);

/** A control for a time. */
const Moment = ({ label, zone, hint = '', value, set }) => (
  <Field label={label} hint={`${hint}${zone ? `by the event's clock, ${zone}` : 'by your clock'}`}>
    {(id, described) => (
      <input
        id={id}
        type="datetime-local"
        aria-describedby={described}
        value={value}
        onInput={(e) => set(e.target.value)}
      />
    )}
  </Field>
);

/** An act whose dry run is shown before: `first` asks for it, `then` does it. */
function Checked({ act, args, first, then, ready = () => true, onDone, main }) {
  const { run, busy, problem, dialog, reset } = useAct(act);
  const [tried, setTried] = useState(null);
  useEffect(() => {
    setTried(null);
    reset();
  }, [JSON.stringify(args)]);
  const check = async () => {
    if (ready()) setTried((await run(args, { dryRun: true }))?.said ?? null);
  };
  const go = async () => {
    const done = await run(args);
    if (!done) return;
    setTried(null);
    onDone(done);
  };
  return (
    <div class="forms">
      {tried && <Said lines={tried} />}
      <Refusal problem={problem} />
      <div class="row buttons">
        {tried ? (
          <>
            <Button main busy={busy} onClick={go}>
              {then}
            </Button>
            <Button quiet onClick={() => setTried(null)}>
              Change it
            </Button>
          </>
        ) : (
          <Button main={main} busy={busy} onClick={check}>
            {first}
          </Button>
        )}
      </div>
      {dialog}
    </div>
  );
}

/** Names what is chosen as the acts do; null until it is known. */
function useNames(venue, scene, chosen) {
  const [names, setNames] = useState(null);
  useEffect(() => {
    let over = false;
    setNames(null);
    const idOf = async (section, index) => (await readSection(venue, section)).all[index].id;
    if (scene) {
      namesOf(scene, chosen, idOf).then(
        (found) => over || setNames(found),
        () => {} // what is typed can be blocked
      );
    }
    return () => {
      over = true;
    };
  }, [scene, chosen]);
  return names;
}

function Block({ event, venue, scene, chosen, codes, onDone, left }) {
  const names = useNames(venue, scene, chosen);
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  const [words, setWords] = useState({ seat: '', row: '', section: '' });
  const [areas, setAreas] = useState({});
  const [wrong, setWrong] = useState({});
  const [done, setDone] = useState(null);
  const hints = actNamed('seats block').arguments.properties;
  const places = useMemo(() => [...chosen], [chosen]);
  const given = Object.fromEntries(
    ['seat', 'row', 'section'].map((kind) => [kind, [...(names?.[kind] ?? []), ...typed(words[kind])]])
  );
  const part = Object.fromEntries(Object.entries(areas).filter(([, value]) => value.trim()));
  const some = Object.values(given).some((list) => list.length > 0) || Object.keys(part).length > 0;
  const blocked = codes ? places.filter((seat) => codes[seat] === BLOCKED).length : 0;
  const filled = Object.fromEntries(Object.entries(given).filter(([, list]) => list.length > 0));
  if (Object.keys(part).length > 0) filled.area = part;

  const ready = () => {
    const found = {
      reason: reason.trim() ? '' : 'Say why: it is kept with the block.',
      what: some ? '' : 'Choose something on the map, or type it.'
    };
    setWrong(found);
    return !found.reason && !found.what;
  };
  const finished = (answer) => {
    setDone(answer);
    setWords({ seat: '', row: '', section: '' });
    setAreas({});
    onDone();
  };

  return (
    <Card title="Block more">
      <p>
        {chosen.size > 0 ? (
          <>
            <strong>{names ? saidOf(names) : '…'}</strong>{' '}
            <span class="dim">
              {count(chosen.size)} seats: {statesOf(codes, places)}
            </span>
          </>
        ) : (
          <span class="dim">Choose on the map, in its list, or type below.</span>
        )}
      </p>
      {wrong.what && !some && <p class="wrong">{wrong.what}</p>}
      {(venue.areas ?? []).map((area) => (
        <Field
          key={area.id}
          label={`Places of ${area.name || area.id} (optional)`}
          hint={`a number or a share, as 10%${left(area.id) === undefined ? '' : `; ${count(left(area.id))} are free`}`}
        >
          {(id, hint) => (
            <input
              id={id}
              aria-describedby={hint}
              autocomplete="off"
              value={areas[area.id] ?? ''}
              onInput={(e) => setAreas({ ...areas, [area.id]: e.target.value })}
            />
          )}
        </Field>
      ))}
      <details>
        <summary>Type seats, rows or sections</summary>
        <div class="forms">
          {[
            ['seat', 'Seats', hints.seat.description],
            ['row', 'Rows', 'SECTION/ROW'],
            ['section', 'Sections', 'id or name']
          ].map(([kind, label, hint]) => (
            <Field key={kind} label={label} hint={`${hint}; several with commas`}>
              {(id, described) => (
                <textarea
                  id={id}
                  rows={1}
                  aria-describedby={described}
                  value={words[kind]}
                  onInput={(e) => setWords({ ...words, [kind]: e.target.value })}
                />
              )}
            </Field>
          ))}
        </div>
      </details>
      <Field label="Reason" error={wrong.reason && !reason.trim() ? wrong.reason : ''}>
        {(id, hint) => (
          <input
            id={id}
            required
            aria-describedby={hint}
            aria-invalid={Boolean(wrong.reason && !reason.trim())}
            value={reason}
            onInput={(e) => setReason(e.target.value)}
          />
        )}
      </Field>
      <Moment label="Until (optional)" hint="then they are freed, " zone={venue.zone} value={until} set={setUntil} />
      {done && (
        <Notice tone={done.failed ? 'warn' : 'good'}>
          {done.said.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Notice>
      )}
      <Checked
        main
        act="seats block"
        args={{ event, reason: reason.trim(), until: moment(until, venue.zone), ...filled }}
        ready={ready}
        first="See what would be blocked"
        then="Block it"
        onDone={finished}
      />
      {blocked > 0 && may('seats free') && names && (
        <Checked
          act="seats free"
          args={{ event, names: names.seat, row: names.row, section: names.section }}
          first={blocked === 1 ? 'Free the blocked one' : `Free the ${count(blocked)} blocked ones`}
          then="Free them now"
          onDone={finished}
        />
      )}
    </Card>
  );
}

function Blocks({ event, zone, blocks, onDone }) {
  if (blocks.problem) return <Refusal problem={blocks.problem} />;
  if (!blocks.data) return <Loading />;
  const { result, said } = blocks.data;
  const places = (one) => one.seats.length + Object.values(one.areas).reduce((all, some) => all + some, 0);
  const sum = result.blocks.reduce((all, one) => all + places(one), 0);
  return (
    <Card title="Kept from the sale" aside={sum > 0 ? `${count(sum)} in all` : ''}>
      {result.damaged.length > 0 && (
        <Said lines={said.filter((line) => result.damaged.some((id) => line.startsWith(id)))} />
      )}
      {result.blocks.length === 0 && <Empty>Nothing is kept from the sale.</Empty>}
      <ul class="blocks">
        {result.blocks.map((one) => (
          <BlockRow
            key={one.block}
            event={event}
            zone={zone}
            one={one}
            rows={rowsSaid(said, one.block)}
            onDone={onDone}
          />
        ))}
      </ul>
    </Card>
  );
}

/** Returns the lines that tell a block's rows. */
function rowsSaid(said, block) {
  const from = said.findIndex((line) => line.startsWith(block)) + 1;
  const to = said.findIndex((line, n) => n >= from && !line.startsWith(' '));
  return said.slice(from, to < 0 ? undefined : to);
}

function BlockRow({ event, zone, one, rows, onDone }) {
  const [at, setAt] = useState('');
  const many = [
    one.seats.length > 0 && `${count(one.seats.length)} ${one.seats.length === 1 ? 'seat' : 'seats'}`,
    ...Object.entries(one.areas).map(([area, places]) => places > 0 && `${count(places)} places of ${area}`)
  ].filter(Boolean);
  return (
    <li>
      <h3>{one.reason}</h3>
      <p>
        <span class="figure">{many.join(' and ')}</span>{' '}
        <span class="dim">
          {one.until ? `until ${on(one.until)}` : 'until they are freed'} · since {on(one.at)} by {one.by}
        </span>
      </p>
      {rows.length > 0 && (
        <details>
          <summary>Which seats</summary>
          <Said lines={rows} />
        </details>
      )}
      {may('seats free') && (
        <details>
          <summary>Free it</summary>
          <div class="forms">
            <Moment label="At (optional)" hint="now without it; " zone={zone} value={at} set={setAt} />
            <Checked
              act="seats free"
              args={{ event, names: [one.block], at: moment(at, zone) }}
              first="See what would be freed"
              then={at ? 'Free it then' : 'Free it now'}
              onDone={onDone}
            />
          </div>
        </details>
      )}
    </li>
  );
}

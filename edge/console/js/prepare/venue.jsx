// The venue: a chart's file, its map, what the service reads of it, and what is wrong, each with its place.

import { useEffect, useRef, useState } from 'preact/hooks';
import { may, perform } from '../acts.js';
import { FileField } from '../argument.jsx';
import { packed } from '../files.js';
import { count } from '../format.js';
import { Button, Card, Notice, Refusal, Tile } from '../kit.jsx';
import { Chart, seatText } from '../map/chart-map.jsx';
import { faultsOf, isDrawn } from '../map/faults.js';
import { keepMap, readMap } from './drafts.js';
import { buyersEvent } from './prices.js';
import { Swatch } from './prices.jsx';

const BESIDE = 'beside'; // the picture that the chart names
const NO_TIERS = { tiers: [{ id: 'all', name: '', whole_minor: null }], currency: 'EUR' };
const NOT_DRAWN = 'This chart cannot be drawn. Below is all that is known of it.';
const FAULTS_NOT_DRAWN = 'Nothing of this chart can be drawn: the list alone says what is wrong.';

/** `files`: what to send, the chart and the picture that it names. Returns what the service reads of the chart. */
export async function validated(files) {
  const { names, files: bodies } = await packed(files);
  return (await perform('venue validate', { chart: names.venue, map: true }, { files: bodies })).result;
}

/** Returns [drawn, keep]: the drawing of a draft's chart, undefined until it is read, and what keeps another. */
export function useDrawing(draft) {
  const [drawn, setDrawn] = useState(undefined);
  const latest = useRef(0);
  useEffect(() => {
    const mine = ++latest.current;
    readMap(draft.id).then((found) => mine === latest.current && setDrawn(found));
    return () => (latest.current += 1);
  }, [draft.id]);
  const keep = (made) => {
    latest.current += 1;
    setDrawn(made);
    keepMap(draft.id, made); // it is shown at once
  };
  return [drawn, keep];
}

/** `choose(use, file)` keeps a file of the draft, `setChart` what is read of it; `filesFor(uses)` returns files. */
export function Venue({ draft, schema, choose, setChart, filesFor }) {
  const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  const [drawn, keepDrawing] = useDrawing(draft);
  const turn = useRef(0);
  const { chart, files } = draft;

  async function read() {
    const mine = ++turn.current;
    setBusy(true);
    setProblem(null);
    try {
      const sent = await filesFor(['venue', BESIDE]);
      if (!sent.venue || !may('venue validate')) return;
      const { map, ...found } = await validated(sent);
      if (mine !== turn.current) return; // another file was chosen meanwhile
      keepDrawing(map);
      setChart(found);
    } catch (refusal) {
      if (mine === turn.current) setProblem(refusal);
    } finally {
      if (mine === turn.current) setBusy(false);
    }
  }

  async function chosen(use, file) {
    turn.current += 1;
    setProblem(null);
    setChart(null);
    keepDrawing(null);
    await choose(use, file);
    await read();
  }

  useEffect(() => {
    if (files.venue && !chart) read(); // faults are not kept with the draft
    return () => (turn.current += 1);
  }, []);

  return (
    <>
      <Card title="Seating chart">
        <FileField
          label="File of the chart"
          hint={schema.description}
          accept=".json,application/json"
          chosen={files.venue}
          onChoose={(file) => chosen('venue', file)}
        />
        <details open={Boolean(files[BESIDE])}>
          <summary>The chart names a picture</summary>
          <FileField
            label="Picture of the chart"
            hint="Its file has the name that the chart gives it."
            accept="image/*"
            chosen={files[BESIDE]}
            onChoose={(file) => chosen(BESIDE, file)}
          />
        </details>
        {busy && <p role="status">The chart is read …</p>}
        {files.venue && !chart && !busy && may('venue validate') && (
          <div class="row">
            <Button onClick={read}>Read the chart again</Button>
          </div>
        )}
        {problem && !Array.isArray(problem.fields?.errors) && <Refusal problem={problem} />}
        {chart && <Notes notes={chart.notes} />}
      </Card>
      {Array.isArray(problem?.fields?.errors) && <Faults fields={problem.fields} />}
      {chart && <Read chart={chart} drawn={drawn} />}
    </>
  );
}

/** What is wrong with a chart: each fault in the list and on the map, and from one to the other. */
function Faults({ fields }) {
  const { errors, errors_total: total, map: drawn } = fields;
  const [faults] = useState(() => faultsOf(errors));
  const [chosen, setChosen] = useState(null);
  const [at, setAt] = useState(null);
  const list = useRef(null);
  const title = `The chart has ${count(total ?? errors.length)} ${(total ?? errors.length) === 1 ? 'fault' : 'faults'}`;
  const nameOf = (all) => (all.length > 0 ? `${count(all.length)} ${all.length === 1 ? 'fault' : 'faults'}` : '');

  useEffect(() => {
    const item = list.current.querySelector('[aria-current="true"]');
    if (item) list.current.scrollTop = item.offsetTop - list.current.clientHeight / 3;
  }, [chosen]);

  return (
    <Card title={title} wide>
      <Notice tone="bad" title="The chart cannot be used yet">
        <p>{drawn ? 'Each number on the map is a fault of the list. Choose it in either.' : FAULTS_NOT_DRAWN}</p>
      </Notice>
      <div class={drawn ? 'beside' : undefined}>
        {drawn && (
          <Chart
            drawn={drawn}
            kind="faulty"
            event={NO_TIERS}
            faults={faults}
            chosen={chosen}
            at={at}
            noteOf={(place, map) => nameOf(map.faultsIn(place))}
            saidOf={(seat, map) =>
              [seatText(seat), ...map.faultsAt(seat.i).map(({ n, what }) => `${n}. ${what}`)].join(': ')
            }
            onFaults={([first]) => setChosen(first)}
          />
        )}
        <div class={drawn ? 'scrolled' : undefined} ref={list} role="region" aria-label="Faults" tabIndex={0}>
          <ol class="faults">
            {faults.map((fault) => (
              <li key={fault.n} aria-current={fault.n === chosen}>
                {fault.what}
                <br />
                <small>
                  {fault.named.length > 0 && <strong>{fault.named.join('; ')} </strong>}
                  <code>{fault.where}</code>
                </small>
                {drawn && isDrawn(fault) && (
                  <Button
                    quiet
                    aria-label={`Show fault ${fault.n} on the map`}
                    onClick={() => (setChosen(fault.n), setAt({ n: fault.n }))}
                  >
                    Show
                  </Button>
                )}
                {drawn && !isDrawn(fault) && <small class="dim"> It has no place on the map.</small>}
              </li>
            ))}
          </ol>
        </div>
      </div>
    </Card>
  );
}

function Notes({ notes }) {
  if (!notes?.length) return <Notice tone="good">The chart is good.</Notice>;
  return (
    <Notice tone="warn" title="The chart can be used. Look at this:">
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** What the service reads of a chart: its map, and how much of what. */
function Read({ chart, drawn }) {
  const seatsOf = ({ kind, total }) => `${count(total)} ${kind === 'area' ? 'places' : 'seats'}`;
  const names = new Map(chart.tiers.map(({ id, name }) => [id, name]));
  return (
    <Card title={chart.name || 'The venue'} wide>
      <div class="beside">
        {drawn ? (
          <Chart
            drawn={drawn}
            kind="priced"
            event={buyersEvent(chart.tiers.map(({ id, name }) => ({ tier: id, name, whole: null })))}
            noteOf={seatsOf}
            saidOf={(seat) => `${seatText(seat)}: ${names.get(seat.tier)}`}
          />
        ) : (
          <p class="dim">{drawn === null && NOT_DRAWN}</p>
        )}
        <div class="forms">
          <dl class="tiles">
            <Tile name="Seats" value={count(chart.seats)} />
            <Tile name="Places in areas" value={count(chart.area_places)} />
            <Tile name="Sections" value={count(chart.sections.length)} />
            <Tile name="Areas" value={count(chart.areas.length)} />
          </dl>
          <table>
            <thead>
              <tr>
                <th scope="col">Tier</th>
                <th scope="col">Seats</th>
                <th scope="col">Places in areas</th>
              </tr>
            </thead>
            <tbody>
              {chart.tiers.map((tier, rank) => (
                <tr key={tier.id}>
                  <th scope="row">
                    <Swatch rank={rank} /> {tier.name} <small class="dim">{tier.id}</small>
                  </th>
                  <td>{count(tier.seats)}</td>
                  <td>{count(tier.area_places)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {chart.sections.length > 0 && (
            <details>
              <summary>Sections and areas</summary>
              <ul class="parts">
                {Object.entries({ ...chart.seats_of, ...chart.places_of }).map(([part, places]) => (
                  <li key={part}>
                    {part} <span class="dim">{count(places)}</span>
                  </li>
                ))}
              </ul>
            </details>
          )}
        </div>
      </div>
    </Card>
  );
}

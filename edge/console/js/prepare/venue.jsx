// The venue: a chart's file, what the service reads of it, and what is wrong, each with its place.

import { useState } from 'preact/hooks';
import { may, perform } from '../acts.js';
import { FileField } from '../argument.jsx';
import { packed } from '../files.js';
import { count } from '../format.js';
import { Button, Card, Notice, Refusal, Tile } from '../kit.jsx';
import { Swatch } from './prices.jsx';

const KINDS = ['section', 'row', 'seat', 'area', 'tier'];
const BESIDE = 'beside'; // the picture that the chart names

/** {section: "101", row: "A"} → "section 101, row A". */
export const placeText = (place) =>
  KINDS.filter((kind) => place[kind])
    .map((kind) => `${kind} ${place[kind]}`)
    .join(', ');

/** `sent`: what to send beside the chart. Returns what the service reads of the chart. */
export async function validated(files) {
  const { names, files: bodies } = await packed(files);
  return (await perform('venue validate', { chart: names.venue }, { files: bodies })).result;
}

/** `choose(use, file)` keeps a file of the draft, `setChart` what is read of it; `filesFor(uses)` returns files. */
export function Venue({ draft, schema, choose, setChart, filesFor }) {
  const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);

  async function read() {
    setBusy(true);
    setProblem(null);
    try {
      const files = await filesFor(['venue', BESIDE]);
      if (files.venue && may('venue validate')) setChart(await validated(files));
    } catch (refusal) {
      setProblem(refusal);
    } finally {
      setBusy(false);
    }
  }

  async function chosen(use, file) {
    setProblem(null);
    setChart(null);
    await choose(use, file);
    if (file) await read();
  }

  const { chart, files } = draft;
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
        <Faults problem={problem} />
        {chart && <Notes notes={chart.notes} />}
      </Card>
      {chart && <Chart chart={chart} />}
    </>
  );
}

/** What is wrong with a chart: each fault with where it is. */
function Faults({ problem }) {
  if (!problem) return null;
  const { errors, errors_total: total } = problem.fields ?? {};
  if (!Array.isArray(errors)) return <Refusal problem={problem} />;
  return (
    <Notice tone="bad" title={`The chart has ${count(total ?? errors.length)} faults`}>
      <ul class="faults">
        {errors.map(({ where, what, places }) => {
          const named = [...new Set((places ?? []).map(placeText).filter(Boolean))];
          return (
            <li key={`${where} ${what}`}>
              {what}
              <br />
              <small>
                {named.length > 0 && <strong>{named.join('; ')} </strong>}
                <code>{where}</code>
              </small>
            </li>
          );
        })}
      </ul>
    </Notice>
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

function Chart({ chart }) {
  return (
    <Card title={chart.name || 'The venue'}>
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
          {chart.tiers.map((tier) => (
            <tr key={tier.id}>
              <th scope="row">
                <Swatch color={tier.color} /> {tier.name} <small class="dim">{tier.id}</small>
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
    </Card>
  );
}

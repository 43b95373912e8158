// What a sale may bring: assumptions as fields, and the last forecast as curves and a table. All of it is modelled.

import { useState } from 'preact/hooks';
import { look, may } from './acts.js';
import { Chart } from './chart.jsx';
import { useAct } from './act-form.jsx';
import { count, dollars, money, on, rate, span, titled } from './format.js';
import { JobView, useJob } from './jobs/job.jsx';
import { isGoing } from './jobs/jobs.js';
import { Button, Card, Empty, Field, Loading, Refusal } from './kit.jsx';
import { useLook } from './use-look.js';

const labelOf = (name) => titled(name).replace(/ s$/, ' (seconds)');
const HIDDEN = ['lengths_s', 'seed']; // of a rehearsal, and of chance
const FIRST = 'buyers';

export function Forecast({ event }) {
  const { data, problem, again } = useLook(() => look('forecast show', { event }), [event]);
  const shown = useLook(() => look('event show', { event }), [event]).data;
  if (!data || !shown) return problem ? <Refusal problem={problem} /> : <Loading />;
  return (
    <>
      <div class="head">
        <h1>Forecast of {shown.name || event}</h1>
        <p class="dim">How the sale may go. Everything here is modelled, and nothing was measured.</p>
      </div>
      <div class="board">
        <div class="forms">
          {data.forecast ? <Predicted forecast={data.forecast} /> : <Empty>No forecast is kept of this event.</Empty>}
        </div>
        {may('simulate') && (
          <Assumed event={event} assumes={data.assumes} before={data.forecast?.assumptions ?? {}} onDone={again} />
        )}
      </div>
    </>
  );
}

/** The fields: the number of buyers first, and below what else is assumed of them. */
function Assumed({ event, assumes, before, onDone }) {
  const [values, setValues] = useState({});
  const { run, busy, problem } = useAct('simulate');
  const job = useJob('simulate', event);
  const fields = assumes.filter(({ name }) => !HIDDEN.includes(name));
  const textOf = ({ name, value }) => values[name] ?? written(before[name] ?? value);

  async function go(submitted) {
    submitted.preventDefault();
    const assume = Object.fromEntries(
      fields.filter((one) => textOf(one) !== written(one.value)).map((one) => [one.name, textOf(one)])
    );
    if (await run({ event, assume, keep: true })) await onDone();
  }

  const input = (one) => (
    <Field key={one.name} label={labelOf(one.name)} hint={one.about}>
      {(id, hint) => (
        <input
          id={id}
          aria-describedby={hint}
          inputMode="decimal"
          autocomplete="off"
          value={textOf(one)}
          onInput={(e) => setValues((now) => ({ ...now, [one.name]: e.target.value }))}
        />
      )}
    </Field>
  );
  return (
    <Card title="Make a forecast">
      <form class="act-form" onSubmit={go}>
        {fields.filter(({ name }) => name === FIRST).map(input)}
        <details>
          <summary>What else is assumed</summary>
          <div class="act-form">{fields.filter(({ name }) => name !== FIRST).map(input)}</div>
        </details>
        <Refusal problem={problem?.job ? null : problem} />
        <div class="row buttons">
          <Button type="submit" main busy={busy || (job && isGoing(job))}>
            Make it
          </Button>
        </div>
      </form>
      <JobView job={job} quiet />
    </Card>
  );
}

/** A value as TOML writes it, which is how the service reads it. */
const written = (value) => (Array.isArray(value) ? `[${value.join(', ')}]` : String(value));

function Predicted({ forecast: { run, sale, made_at: madeAt, by } }) {
  const { curve } = run;
  const startS = Date.parse(sale.sale_starts_at) / 1000;
  const times = curve.offset_s.map((offset) => startS + offset);
  const level = (value) => times.map(() => value);
  const target = run.live_target ? [{ name: 'target', values: level(run.live_target), tone: 'dim', dash: true }] : [];
  return (
    <>
      <Card title={`For ${count(run.buyers)} buyers`} aside={`made ${on(madeAt)} by ${by}`}>
        <table>
          <tbody>
            {rowsOf(run).map(([what, value]) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      {times.length === 0 ? (
        <Empty>Nobody comes.</Empty>
      ) : (
        <div class="curves">
          <Card title="Who wait" aside="people">
            <Chart
              times={times}
              write={count}
              says={`At most ${count(run.waiting_most)} wait.`}
              series={[{ name: 'waiting', values: curve.waiting, fill: true }]}
            />
          </Card>
          <Card title="Shoppers" aside="people">
            <Chart
              times={times}
              write={count}
              says={`At most ${count(run.live_most)} shop at once.`}
              series={[{ name: 'shopping', values: curve.live }, ...target]}
            />
          </Card>
          <Card title="Let in a second" aside="sessions">
            <Chart
              times={times}
              write={rate}
              says={`At most ${rate(run.admitted_per_s_most)} come in a second.`}
              series={[{ name: 'let in', values: curve.admitted_per_s }]}
            />
          </Card>
          <Card title="Tickets sold" aside={`of ${count(run.places)}`}>
            <Chart
              times={times}
              write={count}
              says={`${count(run.sold)} tickets are sold.`}
              series={[{ name: 'sold', values: curve.sold, tone: 'good', fill: true }]}
            />
          </Card>
        </div>
      )}
    </>
  );
}

const after = (seconds) => span(seconds);
const takings = ({ takings_minor: [least, most], currency }) =>
  least === most ? money(least, currency) : `${money(least, currency)} to ${money(most, currency)}`;

/** What a forecast says, by row. */
function rowsOf(run) {
  const { waits, requests, cost } = run;
  return [
    ['wait at the sale start', count(run.waiting_at_start)],
    ['wait at most', count(run.waiting_most)],
    ['come in', count(run.admitted)],
    ['come in a second, at most', rate(run.admitted_per_s_most)],
    ['shop at once, at most', count(run.live_most)],
    ['half of those who come in wait at most', after(waits?.median_s)],
    ['90% are in after', after(waits?.p90_s)],
    ['the last is in after', after(waits?.last_s)],
    ['tickets sold', `${count(run.sold)} of ${count(run.places)}`],
    ['all is sold after', after(run.sold_out_s)],
    ['takings, by the cheapest and the dearest tier', takings(run)],
    ['found no places inside', count(run.found_no_places)],
    ['gave up waiting', count(run.gave_up)],
    ['still wait at the end', count(run.waiting_at_end)],
    ['requests at the edge', count(requests.total)],
    ['of these, to the API', count(requests.api)],
    ['edge requests a second, at most', count(requests.per_s_most)],
    ['AWS, without sign-in and mail', dollars(cost.dollars)]
  ];
}

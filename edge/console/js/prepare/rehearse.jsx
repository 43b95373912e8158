// "Rehearse this event": a copy that no list shows, with simulated buyers.

import { useState } from 'preact/hooks';
import { may, perform } from '../acts.js';
import { useAct } from '../act-form.jsx';
import { count } from '../format.js';
import { Button, Card, Field, Loading, Notice, Refusal, tell } from '../kit.jsx';
import { useLook } from '../use-look.js';

const ACT = 'event rehearse';
const OFF = 'rehearsals-off';
const BUYERS = 300;
const STARTS_IN_S = 60;

/** Returns what can be rehearsed here, by a dry run with one buyer; where nothing can, {off: why}. */
async function possible(event) {
  try {
    return (await perform(ACT, { event, buyers: 1 }, { dryRun: true })).result;
  } catch (refusal) {
    if (refusal.fields?.reason !== OFF) throw refusal;
    return { off: refusal.message };
  }
}

export function Rehearse({ event }) {
  const { data, problem } = useLook(() => (may(ACT) ? possible(event) : null), [event]);
  if (!may(ACT)) return null;
  return (
    <Card title="Rehearse this event">
      <Refusal problem={problem} />
      {!data && !problem && <Loading />}
      {data?.off && <Notice tone="info">{data.off}</Notice>}
      {data && !data.off && <Form event={event} possible={data} />}
    </Card>
  );
}

function Form({ event, possible: { scripts, buyers_max: most, left_out: leftOut } }) {
  const [buyers, setBuyers] = useState(Math.min(BUYERS, most));
  const [startsIn, setStartsIn] = useState(STARTS_IN_S);
  const [script, setScript] = useState(Object.keys(scripts)[0]);
  const { run, busy, written, problem, dialog } = useAct(ACT);

  async function go(submitted) {
    submitted.preventDefault();
    const done = await run({ event, buyers, script, sale_starts_in: startsIn });
    if (!done) return;
    tell(done.said[0]);
    location.hash = `#/e/${encodeURIComponent(done.result.event)}/live`;
  }

  return (
    <form class="act-form" onSubmit={go}>
      <p class="dim">
        Makes a copy that no list shows, and lets simulated buyers come to it. Nothing of this event changes.
      </p>
      {leftOut.length > 0 && (
        <Notice tone="info">The copy goes without {leftOut.join(', ')}: simulated buyers cannot meet that.</Notice>
      )}
      <Field label="Simulated buyers" hint={`at most ${count(most)} here`}>
        {(id, hint) => (
          <input
            id={id}
            type="number"
            min={1}
            max={most}
            required
            aria-describedby={hint}
            value={buyers}
            onInput={(e) => setBuyers(e.target.value)}
          />
        )}
      </Field>
      <Field label="Sale starts after" hint="seconds, at least 30; the buyers come until then">
        {(id, hint) => (
          <input
            id={id}
            type="number"
            min={30}
            max={3600}
            required
            aria-describedby={hint}
            value={startsIn}
            onInput={(e) => setStartsIn(e.target.value)}
          />
        )}
      </Field>
      <Field label="Script" hint={scripts[script]}>
        {(id, hint) => (
          <select id={id} aria-describedby={hint} value={script} onChange={(e) => setScript(e.target.value)}>
            {Object.keys(scripts).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {written > 0 && <p role="status">{count(written)} seats are written.</p>}
      <Refusal problem={problem} />
      <div class="row buttons">
        <Button type="submit" busy={busy}>
          Rehearse it
        </Button>
      </div>
      {dialog}
    </form>
  );
}

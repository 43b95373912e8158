// Changing a sale that goes on: its pace with a look ahead, pause and resume, the target, and who sets the pace.

import { useEffect, useState } from 'preact/hooks';
import { look, may } from './acts.js';
import { ActButton, ActForm, useAct } from './act-form.jsx';
import { Phase } from './events.jsx';
import { useFigures } from './figures.js';
import { at, count, rate, span } from './format.js';
import { Button, Card, Field, Loading, NoNewer, Notice, Refusal, tell } from './kit.jsx';
import { Pending } from './pending.jsx';
import { placeOf, tauAt } from './slider.js';

const FIGURES_FOLLOW_MS = 20000;
const ASK_AFTER_MS = 400; // of rest under the slider
const TAU_LEAST = 1;
const TAU_MOST = 10_000_000;

export function Steer({ event }) {
  const { figures, problem } = useFigures(event);
  if (!figures) return problem ? <Refusal problem={problem} /> : <Loading />;
  const { gate, room, edges } = figures;
  return (
    <>
      <div class="head row">
        <div>
          <h1>Steer {figures.name || event}</h1>
          <p class="dim figure">
            {count(room.waiting)} wait · {count(room.live)} shop · {rate(room.admitted_per_s)} let in a second
          </p>
        </div>
        <span class="push row">
          <Phase phase={gate.phase} />
        </span>
      </div>
      <NoNewer problem={problem} />
      <Pending event={event} />
      <AtEdges edges={edges} gate={gate} />
      <div class="board">
        <div class="forms">
          <Pace event={event} gate={gate} room={room} />
          <Planned event={event} gate={gate} />
        </div>
        <div class="forms">
          <Switches event={event} gate={gate} />
          <Target event={event} gate={gate} room={room} />
        </div>
      </div>
    </>
  );
}

/** Says until when every edge has a change, and that it has. */
function AtEdges({ edges, gate }) {
  if (edges.heard === false) {
    return (
      <Notice tone="warn" title="On its way">
        <p>The change of {at(edges.changed_at)} reaches every edge within a minute.</p>
      </Notice>
    );
  }
  if (!edges.changed_at) return null;
  return (
    <Notice tone="good">
      Every edge has the last change ({gate.set_act}, {at(edges.changed_at)}, {gate.set_by}).
    </Notice>
  );
}

function Pace({ event, gate, room }) {
  const [tau, setTau] = useState(null);
  const [ahead, setAhead] = useState(null);
  const [problem, setProblem] = useState(null);
  const act = useAct('tau set');
  const chosen = tau ?? gate.tau_s ?? 600;
  const valid = Number.isFinite(chosen) && chosen >= TAU_LEAST && chosen <= TAU_MOST;

  useEffect(() => {
    if (tau === null || !valid) return undefined;
    let over = false;
    const timer = setTimeout(async () => {
      try {
        const { preview } = await look('tau preview', { event, seconds: tau });
        if (!over) setAhead(preview), setProblem(null);
      } catch (refusal) {
        if (!over) setProblem(refusal);
      }
    }, ASK_AFTER_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [tau, event]);

  async function set() {
    const done = await act.run({ event, seconds: chosen });
    if (!done) return;
    tell(done.said[0] ?? `τ is ${rate(chosen)} s.`);
    setTau(null);
    setAhead(null);
  }

  return (
    <Card title="Pace τ" aside="lower is faster">
      <Field label="τ in seconds" hint="63 % of those who wait are let in within τ.">
        {(id, hint) => (
          <input
            id={id}
            type="number"
            aria-describedby={hint}
            min={TAU_LEAST}
            max={TAU_MOST}
            step="any"
            value={chosen}
            onInput={(e) => setTau(e.target.value === '' ? NaN : Number(e.target.value))}
          />
        )}
      </Field>
      <input
        type="range"
        class="slider"
        aria-label="τ"
        aria-valuetext={`${rate(chosen)} seconds`}
        min={0}
        max={1250}
        value={valid ? placeOf(chosen) : 0}
        onInput={(e) => setTau(tauAt(Number(e.target.value)))}
      />
      <table class="ahead">
        <thead>
          <tr>
            <th scope="col">what follows</th>
            <th scope="col">now</th>
            <th scope="col">then</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">τ</th>
            <td>{gate.tau_s === null ? '–' : `${rate(gate.tau_s)}\u00a0s`}</td>
            <td>{valid ? `${rate(chosen)}\u00a0s` : '–'}</td>
          </tr>
          <tr>
            <th scope="row">let in a second, in the next minutes</th>
            <td>{rate(room.admitted_per_s)}</td>
            <td>{ahead ? ahead.per_s.map(rate).join(' → ') : '–'}</td>
          </tr>
          <tr>
            <th scope="row">shoppers</th>
            <td>{count(room.live)}</td>
            <td>{ahead ? count(ahead.live) : '–'}</td>
          </tr>
          <tr>
            <th scope="row">the last of those who wait is in after</th>
            <td />
            <td>{ahead ? span(ahead.last_in_s) : '–'}</td>
          </tr>
        </tbody>
      </table>
      {ahead && room.live_max > 0 && ahead.live > room.live_max && (
        <Notice tone="warn">
          That is {count((100 * (ahead.live - room.live_max)) / room.live_max)} % over the target of{' '}
          {count(room.live_max)}.
        </Notice>
      )}
      {gate.control === 'auto' && (
        <Notice tone="info">The controller sets the pace. It takes over again unless you change that below.</Notice>
      )}
      <Refusal problem={problem ?? act.problem} />
      <div class="row buttons">
        <Button main busy={act.busy} disabled={tau === null || !valid} onClick={set}>
          Set τ to {valid ? `${rate(chosen)} s` : '…'}
        </Button>
        {tau !== null && (
          <Button quiet onClick={() => (setTau(null), setAhead(null))}>
            Back to {rate(gate.tau_s)} s
          </Button>
        )}
      </div>
      {act.dialog}
    </Card>
  );
}

function Planned({ event, gate }) {
  const planned = gate.planned ?? [];
  return (
    <Card title="Planned">
      {planned.length === 0 && <p class="dim">Nothing is planned.</p>}
      <ul>
        {planned.map((one) => (
          <li key={one.starts_at}>
            {at(one.starts_at)}: {one.tau_s === null ? 'nobody is let in' : `τ ${rate(one.tau_s)} s`}
          </li>
        ))}
      </ul>
      {planned.length > 0 && (
        <ActButton act="tau cancel" args={{ event }}>
          Cancel what is planned
        </ActButton>
      )}
      {may('tau plan') && (
        <details>
          <summary>Plan a pace</summary>
          <ActForm
            act="tau plan"
            fixed={{ event }}
            labels={{ seconds: 'τ in seconds', at: 'From' }}
            submit="Plan it"
            main={false}
          />
        </details>
      )}
    </Card>
  );
}

const HOW = {
  'event pause': ['Pause', 'Nobody is let in. All keep their place; baskets and payments go on.'],
  'event resume': ['Resume', 'The sale goes on where it stopped.'],
  'event drain': ['Let nobody new in', 'Buyers who shop may finish. All others are told that the sale ends.'],
  'event open-until': ['Let all in', 'Without a draw, until a time.'],
  'event close': ['Close the sale', 'For good. Sold tickets stay good.']
};

function Switches({ event, gate }) {
  const first = gate.phase === 'paused' ? 'event resume' : 'event pause';
  const others = Object.keys(HOW).filter((act) => act !== first && may(act));
  const words = useWords(event);
  return (
    <Card title="Pause, resume, end">
      <Quick event={event} act={first} words={words} />
      {gate.phase === 'paused' && words.unsaid && (
        <>
          <Notice tone="warn">The sale is paused. The room does not know why yet.</Notice>
          <Words words={words} />
          <Refusal problem={words.problem} />
          <Button busy={words.busy} onClick={words.say}>
            Say it now
          </Button>
        </>
      )}
      {others
        .filter((act) => act !== 'event pause' || gate.phase !== 'paused')
        .map((act) => (
          <details key={act}>
            <summary>{HOW[act][0]}</summary>
            <p class="dim">{HOW[act][1]}</p>
            <ActForm act={act} fixed={{ event }} submit={HOW[act][0]} main={false} />
          </details>
        ))}
    </Card>
  );
}

/** What the room is told with a pause. It stays until it is said, also where the pause's answer was lost. */
function useWords(event) {
  const [text, setText] = useState('');
  const [unsaid, setUnsaid] = useState(false);
  const { run, busy, problem } = useAct('event say');
  async function say() {
    const done = await run(text ? { event, text } : { event, template: 'paused' });
    setUnsaid(!done);
    if (done) setText('');
  }
  return { text, setText, unsaid, setUnsaid, say, busy, problem };
}

const Words = ({ words: { text, setText } }) => (
  <Field label="Words for the room (optional)" hint="In English; without them the prepared text in nine languages.">
    {(id, hint) => <input id={id} aria-describedby={hint} value={text} onInput={(e) => setText(e.target.value)} />}
  </Field>
);

/** Pauses or resumes with one button; a text to the room goes along if one is written. */
function Quick({ event, act: name, words }) {
  const [name_, how] = HOW[name];
  const act = useAct(name);
  const [follows, setFollows] = useState(false);
  const speaks = name === 'event pause' && may('event say');

  // The same button turns into the other act, so that it keeps the focus.
  useEffect(() => {
    setFollows(false);
    act.reset();
  }, [name]);

  useEffect(() => {
    const timer = follows ? setTimeout(() => setFollows(false), FIGURES_FOLLOW_MS) : 0;
    return () => clearTimeout(timer);
  }, [follows]);

  async function go() {
    const done = await act.run({ event });
    if (speaks && !done) words.setUnsaid(true);
    if (!done) return;
    tell(done.said[0]);
    setFollows(true);
    if (speaks) await words.say();
    else words.setUnsaid(false);
  }

  if (!may(name)) return null;
  return (
    <>
      <p>{how}</p>
      {speaks && <Words words={words} />}
      {follows && <p role="status">It is done. The figures follow within 20 seconds.</p>}
      <Refusal problem={act.problem} />
      <Button main busy={act.busy || follows} onClick={go}>
        {name_}
      </Button>
      {act.dialog}
    </>
  );
}

function Target({ event, gate, room }) {
  if (!may('event target')) return null;
  return (
    <Card title="Target and control">
      <p>
        Target: <strong class="figure">{count(room.live_max)}</strong> shop at once.{' '}
        {gate.control === 'auto' ? 'The controller sets the pace.' : 'You set the pace.'}
      </p>
      <ActForm
        act="event target"
        fixed={{ event }}
        labels={{ live_max: 'Shoppers at once', control: 'Who sets the pace' }}
        submit="Change"
        main={false}
      />
    </Card>
  );
}

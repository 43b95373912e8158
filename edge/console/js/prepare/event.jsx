// The tab "Prepare" of an event: is it ready, how it looks, when buyers see it, and what of it may change.

import { useRef, useState } from 'preact/hooks';
import { actNamed, look, may } from '../acts.js';
import { ActButton, ActForm } from '../act-form.jsx';
import { Phase } from '../events.jsx';
import { onIn } from '../format.js';
import { Card, Field, Loading, Notice, Refusal } from '../kit.jsx';
import { useLook } from '../use-look.js';
import { Edit } from './edit.jsx';
import { inZoneOf } from './given.js';
import { Ready } from './ready.jsx';
import { Rehearse } from './rehearse.jsx';

const AGAIN_MS = 10000; // a publication takes up to a minute, and others may change the event

/** Returns what "event show" says, with the sale start. */
async function shownOf(event) {
  const [shown, { events }] = await Promise.all([look('event show', { event }), look('event list')]);
  return { ...shown, sale_starts_at: events.find((one) => one.event === event)?.sale_starts_at };
}

export function Prepare({ event }) {
  const { data, problem, again } = useLook(() => shownOf(event), [event], AGAIN_MS);
  const heading = useRef(null);
  if (!data) return problem ? <Refusal problem={problem} /> : <Loading />;
  const draft = data.phase === 'draft';
  const published = () => {
    heading.current.focus(); // the button goes away
    again();
  };
  return (
    <>
      <div class="head row">
        <div>
          <h1 tabIndex={-1} ref={heading}>
            Prepare {data.name}
          </h1>
          <p class="dim">
            {data.venue}
            {data.starts_at && ` · ${onIn(data.starts_at, data.time_zone)}`}
          </p>
        </div>
        <span class="push row">
          <Phase phase={data.phase} cancelled={data.cancelled_at} hidden={data.hidden} rehearsal={data.rehearsal} />
        </span>
      </div>
      <Refusal problem={problem} />
      <div class="board">
        <div class="forms">
          <Ready event={event} />
          {may('event edit') && <Edit event={event} shown={data} onDone={again} />}
        </div>
        <div class="forms">
          {draft && <Preview event={event} />}
          {draft && <Publish event={event} shown={data} onDone={published} />}
          {!draft && <Hide event={event} hidden={data.hidden} onDone={again} />}
          {!data.rehearsal && <Rehearse event={event} />}
          <Clone event={event} />
          {draft && <Delete event={event} />}
          {may('draw show') && (
            <Elsewhere event={event} part="proof" title="The draw" link="Commitment, beacon and proof">
              Anybody can check it afterwards. A beacon has to be announced before the sale starts.
            </Elsewhere>
          )}
          {!draft && may('event cancel') && (
            <Elsewhere event={event} part="call-off" title="End of the event" link="Call it off">
              Cancels the event for good and gives all of its money back.
            </Elsewhere>
          )}
        </div>
      </div>
    </>
  );
}

/** A way to what is done on another screen. */
const Elsewhere = ({ event, part, title, link, children }) => (
  <Card title={title}>
    <p class="dim">{children}</p>
    <a class="hit" href={`#/e/${encodeURIComponent(event)}/after/${part}`}>
      {link}
    </a>
  </Card>
);

function Preview({ event }) {
  const { data, problem } = useLook(() => (may('event preview') ? look('event preview', { event }) : null), [event]);
  if (!may('event preview')) return null;
  return (
    <Card title="Preview">
      <p class="dim">Shows the page as buyers will see it, to all who have the link. Nobody can join there.</p>
      <Refusal problem={problem} />
      {data && (
        <a class="button" href={data.url} target="_blank" rel="noreferrer">
          See it as a buyer
        </a>
      )}
    </Card>
  );
}

function Publish({ event, shown, onDone }) {
  const [at, setAt] = useState('');
  if (!may('event publish')) return null;
  return (
    <Card title="Publish">
      {shown.phase_until && <Notice tone="info">Buyers see it from {onIn(shown.phase_until, shown.time_zone)}.</Notice>}
      <Field label="At (optional)" hint={actNamed('event publish').arguments.properties.at.description}>
        {(id, hint) => (
          <input
            id={id}
            type="datetime-local"
            aria-describedby={hint}
            value={at}
            onInput={(e) => setAt(e.target.value)}
          />
        )}
      </Field>
      <ActButton act="event publish" args={{ event, at: at && inZoneOf(shown, at) }} onDone={onDone} main>
        {at ? 'Publish then' : 'Publish now'}
      </ActButton>
    </Card>
  );
}

function Hide({ event, hidden, onDone }) {
  const act = hidden ? 'event show-again' : 'event hide';
  if (!may(act)) return null;
  return (
    <Card title="In the list of events">
      <p>{actNamed(act).about}</p>
      <ActButton act={act} args={{ event }} onDone={onDone}>
        {hidden ? 'Show again' : 'Hide'}
      </ActButton>
    </Card>
  );
}

const OF_CLONE = ['new', 'name', 'starts_at', 'sale_starts_at'];

function Clone({ event }) {
  if (!may('event clone')) return null;
  return (
    <details class="card">
      <summary>
        <strong>Clone</strong>
      </summary>
      <p class="dim">{actNamed('event clone').about}</p>
      <ActForm
        act="event clone"
        fixed={{ event }}
        only={OF_CLONE}
        labels={{ new: 'Id of the new event', starts_at: 'Start of the performance', sale_starts_at: 'Sale start' }}
        submit="Clone it"
        main={false}
        onDone={({ result }) => (location.hash = `#/e/${encodeURIComponent(result.event)}/prepare`)}
      />
    </details>
  );
}

function Delete({ event }) {
  if (!may('event delete')) return null;
  return (
    <details class="card">
      <summary>
        <strong>Delete</strong>
      </summary>
      <p class="dim">{actNamed('event delete').about}</p>
      <ActForm
        act="event delete"
        fixed={{ event }}
        submit="Delete it"
        main={false}
        onDone={() => (location.hash = '#/')}
      />
    </details>
  );
}

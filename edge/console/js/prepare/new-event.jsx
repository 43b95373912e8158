// "New event": the drafts of this browser, and the steps from a name to an event.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { actNamed } from '../acts.js';
import { on } from '../format.js';
import { Button, Card, Dialog, Empty, Field, Notice, Refusal, tell } from '../kit.jsx';
import { allDrafts, dropDraft, filesOf, keepDraft, keepFile, newDraft, readDraft } from './drafts.js';
import { Groups } from './fields.jsx';
import { Look } from './look.jsx';
import { Prices } from './prices.jsx';
import { idOf, STEPS } from './steps.js';
import { Summary } from './summary.jsx';
import { useDrawing, Venue } from './venue.jsx';

const CREATE = 'event create';
const WIDE = ['venue', 'prices']; // they have a map
const addressOf = (draft, step) => `#/new/${draft}/${step}`;

export function NewEvent({ rest }) {
  const [id, step] = rest;
  if (!actNamed(CREATE)) return <Empty>Your role may not create events.</Empty>;
  const draft = id && readDraft(id);
  if (!draft) return <Drafts lost={id} />;
  return <Steps key={id} first={draft} step={STEPS.find((one) => one.step === step) ?? STEPS[0]} />;
}

/** The drafts, to go on with or to delete. */
export function Drafts({ lost }) {
  const [drafts, setDrafts] = useState(allDrafts);
  const [problem, setProblem] = useState(null);
  const [asked, setAsked] = useState(null);

  function begin() {
    try {
      location.hash = addressOf(newDraft().id, STEPS[0].step);
    } catch (refusal) {
      setProblem(refusal);
    }
  }

  async function remove() {
    await dropDraft(asked);
    setAsked(null);
    setDrafts(allDrafts());
    tell('The draft is deleted.');
  }

  return (
    <>
      <div class="head">
        <p class="back">
          <a href="#/">All events</a>
        </p>
        <h1>New event</h1>
        <p class="dim">Drafts stay in this browser until the event is created or you delete them.</p>
      </div>
      {lost && <Notice tone="warn">This browser has no such draft. It may be created or deleted.</Notice>}
      <Refusal problem={problem} />
      <div class="row">
        <Button main onClick={begin}>
          Begin a new event
        </Button>
      </div>
      {drafts.length > 0 && (
        <ul class="events">
          {drafts.map((draft) => (
            <li class="card event" key={draft.id}>
              <h2>
                <a href={addressOf(draft.id, draft.step ?? STEPS[0].step)}>{draft.values.name || 'Without a name'}</a>
              </h2>
              <p class="dim">
                {draft.values.event && `${draft.values.event} · `}saved {on(draft.saved_at)}
              </p>
              <div class="row buttons">
                <Button
                  quiet
                  aria-label={`Delete ${draft.values.name || 'the draft without a name'}`}
                  onClick={() => setAsked(draft)}
                >
                  Delete
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {asked && (
        <Dialog title="Delete this draft?" onClose={() => setAsked(null)}>
          <p>{asked.values.name || 'The draft without a name'}, with what was typed and chosen.</p>
          <div class="row buttons">
            <Button onClick={() => setAsked(null)}>Go back</Button>
            <Button main class="danger" onClick={remove}>
              Delete it
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** Returns [draft, change, problem]: `change(draft → draft)` keeps it at once. */
function useDraft(first) {
  const [draft, setDraft] = useState(first);
  const [problem, setProblem] = useState(null);
  const latest = useRef(first);
  const change = (made) => {
    latest.current = { ...latest.current, ...made(latest.current) };
    try {
      latest.current = keepDraft(latest.current);
      setProblem(null);
    } catch (refusal) {
      setProblem(refusal);
    }
    setDraft(latest.current);
  };
  const choose = async (use, file) => {
    try {
      await keepFile(first.id, use, file);
      change(({ files }) => ({ files: { ...files, [use]: file ? { name: file.name } : undefined } }));
    } catch (refusal) {
      setProblem(refusal);
    }
  };
  return { draft, change, choose, problem, filesFor: (uses) => filesOf(latest.current, uses) };
}

/** An id follows the name, until somebody types one. */
function withValue(values, name, value) {
  const follows = name === 'name' && (values.event ?? '') === idOf(values.name ?? '');
  return { ...values, [name]: value, ...(follows ? { event: idOf(value) } : {}) };
}

function Steps({ first, step }) {
  const { draft, change, choose, problem, filesFor } = useDraft(first);
  const { properties } = actNamed(CREATE).arguments;
  const set = (name, value) => change(({ values }) => ({ values: withValue(values, name, value) }));
  const form = { act: CREATE, properties, values: draft.values, set, files: draft.files, choose };
  const heading = useRef(null);
  const before = useRef(step);
  // Before the step is seen: a moment later the focus would leave a control that is already reached.
  useLayoutEffect(() => {
    if (before.current !== step) heading.current.focus();
    before.current = step;
    change(() => ({ step: step.step }));
    document.querySelector('[aria-current="step"]').scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [step]);
  const next = STEPS[STEPS.indexOf(step) + 1];
  const currency = (draft.values.currency || 'EUR').toUpperCase();
  return (
    <>
      <div class="head">
        <p class="back">
          <a href="#/new">All drafts</a>
        </p>
        <h1>{draft.values.name || 'New event'}</h1>
        <p class="dim">Saved in this browser {on(draft.saved_at)}. Nothing is public before you publish.</p>
        <nav class="tabs" aria-label="Steps">
          {STEPS.map((one, n) => (
            <a key={one.step} href={addressOf(draft.id, one.step)} aria-current={one === step ? 'step' : undefined}>
              {n + 1} {one.name}
            </a>
          ))}
        </nav>
      </div>
      <Refusal problem={problem} />
      <h2 class="hidden-text" tabIndex={-1} ref={heading}>
        {step.name}
      </h2>
      <div class={WIDE.includes(step.step) ? 'forms' : 'forms steps'}>
        {step.step === 'venue' && (
          <Venue
            draft={draft}
            schema={properties.venue}
            choose={choose}
            setChart={(chart) => change(() => ({ chart }))}
            filesFor={filesFor}
          />
        )}
        {step.step === 'prices' && <DrawnPrices draft={draft} form={form} currency={currency} />}
        {step.step === 'summary' ? (
          <Summary draft={draft} properties={properties} filesFor={filesFor} addressOf={addressOf} />
        ) : (
          <Groups step={step} form={form} without={['publish']} />
        )}
        {step.step === 'sale' && <Publication form={form} />}
        {step.step === 'brand' && <Pictures form={form} filesFor={filesFor} />}
        {next && (
          <div class="row buttons">
            <a class="button primary" href={addressOf(draft.id, next.step)}>
              Go on to {next.name}
            </a>
          </div>
        )}
      </div>
    </>
  );
}

function DrawnPrices({ draft, form, currency }) {
  const [drawn] = useDrawing(draft);
  return <Prices tiers={draft.chart?.tiers ?? []} form={form} currency={currency} drawn={drawn} />;
}

function Pictures({ form, filesFor }) {
  const [blobs, setBlobs] = useState({});
  const { logo, picture } = form.files;
  useEffect(() => {
    let over = false;
    filesFor(['logo', 'picture']).then(
      (files) => over || setBlobs({ logo: files.logo?.blob, picture: files.picture?.blob }),
      () => null // the step's own notice says so when it is chosen
    );
    return () => {
      over = true;
    };
  }, [logo, picture]);
  return <Look form={form} blobs={blobs} />;
}

/** When buyers see it. `publish` is the act's own word; a time is the publication's, after it is created. */
function Publication({ form }) {
  const { values, set, properties } = form;
  const kept = values.publication ?? 'later';
  const choices = [
    ['later', 'Later, on the event’s own page'],
    ...(properties.publish ? [['now', 'As soon as it is created']] : []),
    ...(actNamed('event publish') ? [['at', 'At a time']] : [])
  ];
  return (
    <Card title="Publication">
      <fieldset>
        <legend>Buyers see it</legend>
        {choices.map(([value, words]) => (
          <label class="check" key={value}>
            <input
              type="radio"
              name="publication"
              checked={kept === value}
              onChange={() => set('publication', value)}
            />
            {words}
          </label>
        ))}
      </fieldset>
      {kept === 'at' && (
        <Field label="Publish at" hint={actNamed('event publish').arguments.properties.at.description}>
          {(id, hint) => (
            <input
              id={id}
              type="datetime-local"
              aria-describedby={hint}
              value={values.publish_at ?? ''}
              onInput={(e) => set('publish_at', e.target.value)}
            />
          )}
        </Field>
      )}
    </Card>
  );
}

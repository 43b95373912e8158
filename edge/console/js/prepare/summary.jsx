// The last step: what the service says that the event would be, and its creation.

import { useEffect, useRef, useState } from 'preact/hooks';
import { perform } from '../acts.js';
import { useAct } from '../act-form.jsx';
import { packed } from '../files.js';
import { count } from '../format.js';
import { Button, Card, Notice, Said, tell } from '../kit.jsx';
import { dropDraft } from './drafts.js';
import { argumentsOf, inZoneOf } from './given.js';
import { STEPS } from './steps.js';
import { Wrong } from './wrong.jsx';

const CREATE = 'event create';

function missingOf({ values, files }) {
  if (files.from) return [];
  const of = (step) => STEPS.find((one) => one.step === step);
  return [
    [!values.name, 'A name', of('event')],
    [!values.event, 'An id', of('event')],
    [!files.venue, 'A chart', of('venue')],
    [!values.sale_starts_at && !values.sale_starts_in, 'The start of the sale', of('sale')]
  ].filter(([lacks]) => lacks);
}

export function Summary({ draft, properties, filesFor, addressOf }) {
  const act = useAct(CREATE);
  const [said, setSaid] = useState(null);
  const [lost, setLost] = useState([]);
  const missing = missingOf(draft);
  const shown = useRef(true);
  useEffect(() => () => (shown.current = false), []);

  async function given() {
    const files = await filesFor();
    setLost(Object.keys(draft.files).filter((use) => draft.files[use] && !files[use]));
    const { names, files: bodies } = await packed(files);
    const named = { ...names, beside: undefined }; // the chart itself names it
    const publish = draft.values.publication === 'now' || undefined;
    return [{ ...argumentsOf(CREATE, properties, draft.values), ...named, publish }, { files: bodies }];
  }

  async function tryIt() {
    setSaid(null);
    const [args, options] = await given();
    const done = await act.run(args, { ...options, dryRun: true });
    if (shown.current) setSaid(done?.said ?? null);
  }

  useEffect(() => {
    if (missing.length === 0) tryIt();
  }, []);

  async function create() {
    const [args, options] = await given();
    const done = await act.run(args, options);
    if (!done) return;
    const event = done.result.event;
    await dropDraft(draft);
    tell(done.said[0]);
    if (draft.values.publication === 'at' && draft.values.publish_at)
      await publish(event, inZoneOf(draft.values, draft.values.publish_at));
    location.hash = `#/e/${encodeURIComponent(event)}/prepare`;
  }

  return (
    <Card title="What will be created">
      {missing.length > 0 && (
        <Notice tone="warn" title="This is missing">
          <ul>
            {missing.map(([, words, step]) => (
              <li key={words}>
                {words}: <a href={addressOf(draft.id, step.step)}>{step.name}</a>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {lost.length > 0 && (
        <Notice tone="warn">This browser has lost a file. Choose it again: {lost.join(', ')}.</Notice>
      )}
      <Wrong
        problem={act.problem}
        properties={properties}
        files={draft.files}
        addressOf={(step) => addressOf(draft.id, step)}
      />
      {act.busy && !said && <p role="status">The service checks it …</p>}
      {act.written > 0 && (
        <Notice tone="info">{count(act.written)} seats are written. It goes on; leave this page open.</Notice>
      )}
      {said && <Said lines={said} />}
      {missing.length === 0 && (
        <div class="row buttons">
          <Button main busy={act.busy} disabled={!said} onClick={create}>
            {draft.values.publication === 'now' ? 'Create and publish' : 'Create the event'}
          </Button>
          <Button quiet busy={act.busy} onClick={tryIt}>
            Check again
          </Button>
        </div>
      )}
      {act.dialog}
    </Card>
  );
}

async function publish(event, at) {
  try {
    const done = await perform('event publish', { event, at });
    tell(done.said[0]);
  } catch (problem) {
    tell(`The event is created. Its publication was refused: ${problem.message}`);
  }
}

// Changing an event: a form with what the event has, of which the changes alone are sent.

import { useMemo, useState } from 'preact/hooks';
import { actNamed } from '../acts.js';
import { useAct } from '../act-form.jsx';
import { packed } from '../files.js';
import { Button, Card, Refusal, Said, tell } from '../kit.jsx';
import { readDrawing } from '../map/venue.js';
import { useLook } from '../use-look.js';
import { Groups } from './fields.jsx';
import { changesOf, localIn } from './given.js';
import { Look } from './look.jsx';
import { Prices } from './prices.jsx';
import { amountOf, digitsOf, rateOf } from './prices.js';
import { STEPS } from './steps.js';
import { Wrong } from './wrong.jsx';

const EDIT = 'event edit';
const MOMENT = /_(at|until)$/;
// What "event show" calls in another way.
const SHOWN_AS = {
  venue_name: 'venue',
  seller: 'seller_name',
  imprint: 'imprint_url',
  terms: 'terms_url',
  privacy: 'privacy_url'
};

/** Returns what the event has, as the controls have it. */
export function valuesOf(shown, properties) {
  const digits = digitsOf(shown.currency);
  const values = {};
  for (const name of Object.keys(properties)) {
    const value = shown[SHOWN_AS[name] ?? name] ?? shown[name];
    if (value === null || value === undefined) continue;
    values[name] = MOMENT.test(name) ? localIn(shown.time_zone, value) : value;
  }
  for (const name of ['fee_order', 'fee_ticket', 'cancel_fee']) values[name] = amountOf(shown[`${name}_minor`], digits);
  values.price = Object.fromEntries(shown.prices.map(({ tier, minor }) => [tier, amountOf(minor, digits)]));
  values.vat = Object.fromEntries(shown.prices.map(({ tier, vat_bp: bp }) => [tier, rateOf(bp)]));
  return values;
}

export function Edit({ event, shown, onDone }) {
  const info = actNamed(EDIT).arguments;
  const properties = useMemo(() => editable(info.properties), [info]);
  const before = useMemo(() => valuesOf(shown, properties), [shown]);
  const [typed, setTyped] = useState({});
  const [files, setFiles] = useState({});
  const [said, setSaid] = useState(null);
  const act = useAct(EDIT);
  const values = { ...before, ...typed };
  const changes = changesOf(EDIT, properties, before, values);
  const changed = Object.keys(changes).length + Object.values(files).filter(Boolean).length > 0;

  const choose = (name, file) => (setFiles((now) => ({ ...now, [name]: file })), setSaid(null));
  const set = (name, value) => (setTyped((now) => ({ ...now, [name]: value })), setSaid(null));
  const form = { act: EDIT, properties, values, set, files, choose, edits: true };

  async function run(dryRun) {
    const chosen = Object.entries(files).filter(([, file]) => file);
    const sent = await packed(
      Object.fromEntries(chosen.map(([name, file]) => [name, { name: file.name, blob: file }]))
    );
    const done = await act.run({ event, ...changes, ...sent.names }, { dryRun, emptyToo: true, files: sent.files });
    if (!done) return;
    if (dryRun) {
      setSaid(done.said);
      return;
    }
    tell(done.result.changed === false ? 'Nothing was to change.' : 'The changes are saved.');
    setSaid(done.said);
    setTyped({});
    setFiles({});
    onDone();
  }

  const tiers = shown.prices.map(({ tier, name }) => ({ id: tier, name }));
  return (
    <Card title="What buyers read, and the terms">
      {STEPS.map((step) => (
        <Part key={step.step} step={step} form={form} tiers={tiers} shown={shown} />
      ))}
      <div class={changed ? 'save changed' : 'save'}>
        <Wrong problem={act.problem} properties={properties} files={files} />
        {said && <Said lines={said} />}
        <div class="row buttons">
          <Button main={changed} busy={act.busy} disabled={!changed} onClick={() => run(false)}>
            Save the changes
          </Button>
          <Button busy={act.busy} disabled={!changed} onClick={() => run(true)}>
            Try without changing
          </Button>
          {changed && (
            <Button quiet onClick={() => (setTyped({}), setFiles({}), setSaid(null), act.reset())}>
              Back to what it is
            </Button>
          )}
        </div>
      </div>
      {act.dialog}
    </Card>
  );
}

/** What the act itself says never changes has no control. */
const editable = (properties) =>
  Object.fromEntries(
    Object.entries(properties).filter(
      ([name, { description = '' }]) => name !== 'event' && !/^never changes/.test(description)
    )
  );

/** The prices, beside the map of the venue that the event has. */
function PricesNow({ tiers, form, shown }) {
  const { data, problem } = useLook(() => readDrawing(shown.layout), [shown.layout]);
  return (
    <>
      <Refusal problem={problem} />
      <Prices tiers={tiers} form={form} currency={shown.currency} drawn={data} />
    </>
  );
}

function Part({ step, form, tiers, shown }) {
  const [open, setOpen] = useState(false);
  const parts = <Groups step={step} form={form} />;
  if (step.step === 'summary' || (step.step === 'venue' && !('fullest' in form.properties))) return null;
  return (
    <details onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>
        <strong>{step.step === 'all' ? 'All other fields' : step.name}</strong>
      </summary>
      {open && (
        <div class="forms">
          {step.step === 'prices' && <PricesNow tiers={tiers} form={form} shown={shown} />}
          {parts}
          {step.step === 'brand' && <Look form={form} blobs={form.files} shown={shown} />}
        </div>
      )}
    </details>
  );
}

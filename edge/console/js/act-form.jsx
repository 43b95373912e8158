// Doing an act: a form made from its arguments, a dry run, the question about what cannot be undone, and the result.

import { useRef, useState } from 'preact/hooks';
import { actNamed, newKey, perform } from './acts.js';
import { titled } from './format.js';
import { Button, Dialog, Field, Refusal, Said, tell } from './kit.jsx';

/**
 * Returns {run, busy, problem, dialog, reset}: `run(args, options)` does the act and resolves to what was done, or to
 * null where it was refused or not confirmed. `dialog` has to be shown: it asks about what cannot be undone.
 */
export function useAct(act) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(null);
  const [question, setQuestion] = useState(null);
  const attempt = useRef(null);

  async function once(args, options) {
    setBusy(true);
    setProblem(null);
    try {
      return await perform(act, args, options);
    } catch (refusal) {
      if (refusal.fields?.reason !== 'unconfirmed') throw refusal;
      const { ends, confirm } = refusal.fields;
      const word = await new Promise((answer) => setQuestion({ ends, confirm, answer }));
      setQuestion(null);
      return word === null ? null : await perform(act, args, { ...options, confirm: word });
    } finally {
      setBusy(false);
    }
  }

  async function run(args, options = {}) {
    if (busy) return null;
    // The same key for the same request, so that a repetition after a lost answer does nothing twice.
    const asked = JSON.stringify([args, options]);
    if (attempt.current?.asked !== asked) attempt.current = { asked, key: newKey() };
    try {
      const done = await once(args, options.dryRun ? options : { ...options, key: attempt.current.key });
      attempt.current = null;
      return done;
    } catch (refusal) {
      if (refusal.status !== 0) attempt.current = null;
      setProblem(refusal);
      return null;
    }
  }

  const dialog = question && <Question {...question} />;
  return { run, busy, problem, dialog, reset: () => setProblem(null) };
}

/** Asks about what cannot be undone; a large change wants a word to be typed. */
function Question({ ends, confirm, answer }) {
  const [typed, setTyped] = useState('');
  const plain = confirm === 'yes';
  const ready = plain || typed.trim() === confirm;
  return (
    <Dialog title="This cannot be undone" onClose={() => answer(null)}>
      <Said lines={ends} />
      {!plain && (
        <Field label={`Type ${confirm} to do it`}>
          {(id) => <input id={id} value={typed} autocomplete="off" onInput={(e) => setTyped(e.target.value)} />}
        </Field>
      )}
      <div class="row buttons">
        <Button onClick={() => answer(null)}>Go back</Button>
        <Button main class="danger" disabled={!ready} onClick={() => answer(confirm)}>
          Do it
        </Button>
      </div>
    </Dialog>
  );
}

/** A button that does an act with arguments that are known. */
export function ActButton({ act, args, onDone, children, ...rest }) {
  const { run, busy, problem, dialog } = useAct(act);
  if (!actNamed(act)) return null;
  const click = async () => {
    const done = await run(args);
    if (done) {
      tell(done.said[0] ?? 'Done.');
      onDone?.(done);
    }
  };
  return (
    <span class="act">
      <Button busy={busy} onClick={click} {...rest}>
        {children}
      </Button>
      <Refusal problem={problem} />
      {dialog}
    </span>
  );
}

/**
 * A form for an act, made from what it takes. `fixed`: arguments that the screen gives; `only`: the names of those that
 * are asked for, all without it; `labels`: other words for them.
 */
export function ActForm({ act, fixed = {}, only, labels = {}, submit, onDone, main = true }) {
  const info = actNamed(act);
  const [values, setValues] = useState({});
  const [tried, setTried] = useState(null);
  const { run, busy, problem, dialog } = useAct(act);
  if (!info) return null;
  const { properties, required } = info.arguments;
  const names = (only ?? Object.keys(properties)).filter((name) => properties[name] && !(name in fixed));
  const args = () => ({ ...fixed, ...Object.fromEntries(names.map((n) => [n, read(properties[n], values[n])])) });

  async function go(event) {
    event.preventDefault();
    const done = await run(args());
    if (!done) return;
    setTried(null);
    if (info.changes) {
      tell(done.said[0] ?? 'Done.');
      setValues({});
    }
    onDone?.(done);
  }

  async function tryIt() {
    const done = await run(args(), { dryRun: true });
    setTried(done?.said ?? null);
  }

  return (
    <form class="act-form" onSubmit={go}>
      {names.map((name) => (
        <Argument
          key={name}
          name={name}
          label={labels[name]}
          schema={properties[name]}
          required={required.includes(name)}
          value={values[name]}
          set={(value) => {
            setValues((before) => ({ ...before, [name]: value }));
            setTried(null);
          }}
        />
      ))}
      <Refusal problem={problem} />
      {tried && <Said lines={tried} />}
      <div class="row buttons">
        <Button type="submit" main={main} busy={busy}>
          {submit ?? titled(act)}
        </Button>
        {info.changes && (
          <Button quiet busy={busy} onClick={tryIt}>
            Try without changing
          </Button>
        )}
      </div>
      {dialog}
    </form>
  );
}

const isMap = (schema) => schema.type === 'object';
const isList = (schema) => schema.type === 'array';

/** Returns a control's value as the act takes it. */
function read(schema, value) {
  if (value === undefined || value === '') return undefined;
  if (schema.type === 'boolean') return value || undefined;
  if (schema.type === 'number' || schema.type === 'integer') return Number(value);
  const lines = () =>
    value
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  if (isList(schema)) return lines();
  if (!isMap(schema)) return value;
  const pairs = lines().map((line) => line.split('='));
  return Object.fromEntries(pairs.map(([key, ...rest]) => [key.trim(), rest.join('=').trim()]));
}

function Argument({ name, label = titled(name), schema, required, value, set }) {
  const words = required ? label : `${label} (optional)`;
  if (schema.type === 'boolean') {
    return (
      <label class="check">
        <input type="checkbox" checked={value ?? false} onChange={(e) => set(e.target.checked)} /> {label}
        {schema.description && <small class="dim"> {schema.description}</small>}
      </label>
    );
  }
  const each = isMap(schema) ? 'a line each: name=text' : isList(schema) ? 'a line each' : '';
  const hint = [schema.description, each].filter(Boolean).join('; ');
  const common = { required, value: value ?? '', onInput: (e) => set(e.target.value) };
  const control = (id, described) => {
    const all = { id, 'aria-describedby': described, ...common };
    if (schema.enum) {
      return (
        <select {...all} onChange={(e) => set(e.target.value)}>
          {<option value="">{required ? 'Choose …' : 'as it is'}</option>}
          {schema.enum.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      );
    }
    if (each) return <textarea {...all} rows={3} />;
    const numeric = ['number', 'integer'].includes(schema.type);
    return <input {...all} inputMode={numeric ? 'decimal' : undefined} autocomplete="off" />;
  };
  return (
    <Field label={words} hint={hint}>
      {control}
    </Field>
  );
}

// Doing an act: a form made from its arguments, a dry run, the question about what cannot be undone, and the result.

import { useRef, useState } from 'preact/hooks';
import { actNamed, newKey, perform } from './acts.js';
import { Argument } from './argument.jsx';
import { packed } from './files.js';
import { titled } from './format.js';
import { JobView, useJob } from './jobs/job.jsx';
import { begun, isGoing } from './jobs/jobs.js';
import { isFile, read } from './kinds.js';
import { Button, Dialog, Field, Refusal, Said, tell } from './kit.jsx';
import { Problem } from './send.js';

/**
 * Returns {run, busy, written, problem, dialog, reset}: `run(args, options)` does the act and resolves to what was
 * done, or to null where it was refused or not confirmed. `dialog` has to be shown: it asks about what cannot be
 * undone. `written`: how many seats are, of an act that takes several requests. An act that takes long resolves at its
 * end, with `job`: what is known of it.
 */
export function useAct(act) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(null);
  const [question, setQuestion] = useState(null);
  const [written, setWritten] = useState(0);
  const attempt = useRef(null);

  /** Asks again while an act that is too large for one request goes on: each answer says how much is written. */
  async function toTheEnd(args, options, before = 0) {
    try {
      return await perform(act, args, options);
    } catch (refusal) {
      const { reason, written: now } = refusal.fields ?? {};
      if (reason !== 'unfinished' || !(now > before)) throw refusal;
      setWritten(now);
      return await toTheEnd(args, { ...options, key: newKey() }, now);
    }
  }

  async function followed(args, options) {
    const done = await toTheEnd(args, options);
    return actNamed(act)?.job && done.result.job ? await overOf(done.result.job, args, options) : done;
  }

  async function once(args, options) {
    setBusy(true);
    setProblem(null);
    try {
      return await followed(args, options);
    } catch (refusal) {
      if (refusal.fields?.reason !== 'unconfirmed') throw refusal;
      const { ends, confirm } = refusal.fields;
      const word = await new Promise((answer) => setQuestion({ ends, confirm, answer }));
      setQuestion(null);
      return word === null ? null : await followed(args, { ...options, confirm: word });
    } finally {
      setBusy(false);
      setWritten(0);
    }
  }

  async function run(args, options = {}) {
    if (busy) return null;
    // The same key for the same request, so that a repetition after a lost answer does nothing twice.
    const asked = JSON.stringify([act, args, options]);
    if (attempt.current?.asked !== asked) attempt.current = { asked, key: newKey() };
    try {
      const keyed = !options.dryRun || actNamed(act)?.job; // a dry run may be a job, which is begun once
      const done = await once(args, keyed ? { ...options, key: attempt.current.key } : options);
      attempt.current = null;
      return done;
    } catch (refusal) {
      if (refusal.status !== 0) attempt.current = null;
      setProblem(refusal);
      return null;
    }
  }

  const dialog = question && <Question {...question} />;
  return { run, busy, written, problem, dialog, reset: () => setProblem(null) };
}

/** Returns what a job did, at its end. Throws Problem: it was not done. */
async function overOf(asked, args, { dryRun = false }) {
  const job = await begun({ event: args.event, arguments: args, dry_run: dryRun, ...asked });
  if (job.state === 'failed') throw Object.assign(new Problem(0, job.problem ?? {}), { status: 409, job });
  return { said: job.said ?? [], result: job.result ?? {}, failed: job.failed, job };
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
  const job = useJob(info?.job ? act : '', fixed.event ?? '');
  if (!info) return null;
  const { properties, required } = info.arguments;
  const names = (only ?? Object.keys(properties)).filter((name) => properties[name] && !(name in fixed));
  const ofFiles = names.filter((name) => isFile(act, name));
  const goes = busy || (job && isGoing(job));

  async function given(options = {}) {
    const chosen = ofFiles.filter((name) => values[name]);
    const sent = await packed(Object.fromEntries(chosen.map((n) => [n, { name: values[n].name, blob: values[n] }])));
    const plain = names.filter((name) => !ofFiles.includes(name));
    const args = Object.fromEntries(plain.map((n) => [n, read(n, properties[n], values[n])]));
    return [{ ...fixed, ...args, ...sent.names }, chosen.length ? { ...options, files: sent.files } : options];
  }

  async function go(event) {
    event.preventDefault();
    const done = await run(...(await given()));
    if (!done) return;
    setTried(null);
    if (info.changes) {
      if (!done.job) tell(done.said[0] ?? 'Done.');
      setValues({});
    }
    onDone?.(done);
  }

  async function tryIt() {
    const done = await run(...(await given({ dryRun: true })));
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
          file={ofFiles.includes(name)}
          value={values[name]}
          set={(value) => {
            setValues((before) => ({ ...before, [name]: value }));
            setTried(null);
          }}
        />
      ))}
      <Refusal problem={problem?.job ? null : problem} />
      {tried && !job && <Said lines={tried} />}
      <div class="row buttons">
        <Button type="submit" main={main} busy={goes}>
          {submit ?? titled(act)}
        </Button>
        {info.changes && (
          <Button quiet busy={goes} onClick={tryIt}>
            Try without changing
          </Button>
        )}
      </div>
      {dialog}
      <JobView job={job} />
    </form>
  );
}

// An act in two steps: what it would change, by a dry run; and then doing it.

import { useState } from 'preact/hooks';
import { actNamed } from './acts.js';
import { useAct } from './act-form.jsx';
import { titled } from './format.js';
import { JobView, useJob } from './jobs/job.jsx';
import { isGoing } from './jobs/jobs.js';
import { Button, Field, Refusal, Said, tell } from './kit.jsx';

const DRY = /^Dry run/;

/**
 * `fields`: [{name, label, hint, kind: money or email, options: [[value, words]]}], of which those are asked for that
 * the act takes; what it needs beyond them is asked for as well. `changes(result, args)`: rows of name, before, after.
 * `word`: what has to be typed first; `lines`:
 * how many of the act's own lines are shown before; `wanted(job)`: of a long act, which jobs are shown below.
 */
export function Step({ act, fields = [], fixed = {}, changes, submit, word, lines, wanted, onDone, main = true }) {
  const info = actNamed(act);
  const [values, setValues] = useState({});
  const [tried, setTried] = useState(null);
  const [typed, setTyped] = useState('');
  const { run, busy, problem, dialog } = useAct(act);
  const job = useJob(info?.job ? act : '', fixed.event ?? '', wanted);
  if (!info) return null;
  const { properties, required } = info.arguments;
  const given = Object.fromEntries(Object.entries(fixed).filter(([name]) => name in properties));
  const known = fields.filter(({ name }) => name in properties && !(name in given));
  const others = required.filter((name) => !(name in given) && !known.some((one) => one.name === name));
  const asked = [
    ...known,
    ...others.map((name) => ({ name, label: titled(name), hint: properties[name].description }))
  ];
  const args = { ...given, ...Object.fromEntries(asked.map((one) => [one.name, valueOf(one, values[one.name])])) };
  const rows = tried && changes ? changes(tried.result, args) : [];

  async function go(event) {
    event.preventDefault();
    if (!tried) {
      setTried(await run(args, { dryRun: true }));
      return;
    }
    const done = await run(args);
    if (!done) return;
    setTried(null);
    setValues({});
    setTyped('');
    if (!done.job) tell(done.said[0] ?? 'Done.');
    onDone?.(done);
  }

  const set = (name) => (value) => {
    setValues((before) => ({ ...before, [name]: value }));
    setTried(null);
  };
  return (
    <form class="act-form" onSubmit={go}>
      {asked.map((one) => (
        <Asked
          key={one.name}
          {...one}
          required={required.includes(one.name)}
          value={values[one.name]}
          set={set(one.name)}
        />
      ))}
      {tried && (
        <div role="status" class="forms">
          {rows.length > 0 && <Changes rows={rows} />}
          <Said lines={tried.said.filter((line) => !DRY.test(line)).slice(0, lines)} />
        </div>
      )}
      {tried && word && (
        <Field label={`Type ${word} to go on`}>
          {(id) => <input id={id} value={typed} autocomplete="off" onInput={(e) => setTyped(e.target.value)} />}
        </Field>
      )}
      <Refusal problem={problem?.job ? null : problem} />
      <div class="row buttons">
        <Button
          type="submit"
          main={main}
          busy={busy || (job && isGoing(job))}
          disabled={tried && word && typed.trim() !== word}
        >
          {tried ? submit : 'See what it does'}
        </Button>
        {tried && (
          <Button quiet onClick={() => setTried(null)}>
            Not yet
          </Button>
        )}
      </div>
      {dialog}
      {job && !(tried && job.dry_run) && <JobView job={job} />}
    </form>
  );
}

const Changes = ({ rows }) => (
  <table class="ahead">
    <thead>
      <tr>
        <th scope="col">what changes</th>
        <th scope="col">before</th>
        <th scope="col">after</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(([name, before, after]) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>{before}</td>
          <td>{after}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

function valueOf({ kind, options }, value) {
  if (options) return value ?? options[0]?.[0];
  return kind === 'money' ? value?.replace(',', '.') : value?.trim();
}

const KEYS = { money: 'decimal', email: 'email' };

function Asked({ label, hint, kind, options, required, value, set }) {
  return (
    <Field label={required || options ? label : `${label} (optional)`} hint={hint}>
      {(id, described) =>
        options ? (
          <select id={id} aria-describedby={described} value={value} onChange={(e) => set(e.target.value)}>
            {options.map(([one, words]) => (
              <option key={one} value={one}>
                {words}
              </option>
            ))}
          </select>
        ) : (
          <input
            id={id}
            aria-describedby={described}
            required={required}
            inputMode={KEYS[kind]}
            autocomplete="off"
            value={value ?? ''}
            onInput={(e) => set(e.target.value)}
          />
        )
      }
    </Field>
  );
}

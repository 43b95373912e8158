// Every act that this person may do to the event, each with a form made from what it takes.

import { useState } from 'preact/hooks';
import { actsAt } from './acts.js';
import { ActForm } from './act-form.jsx';
import { Field, Said } from './kit.jsx';

export function AllActs({ event }) {
  const [text, setText] = useState('');
  const acts = actsAt().filter(({ act, about }) => `${act} ${about}`.toLowerCase().includes(text.toLowerCase()));
  return (
    <>
      <div class="head">
        <h1>All acts</h1>
        <p class="dim">Each does what the command of this name does.</p>
      </div>
      <Field label="Show only">
        {(id) => <input id={id} type="search" value={text} onInput={(e) => setText(e.target.value)} />}
      </Field>
      <div class="forms">
        {acts.map((info) => (
          <One key={info.act} info={info} event={event} />
        ))}
      </div>
    </>
  );
}

function One({ info, event }) {
  const [done, setDone] = useState(null);
  const ofEvent = 'event' in info.arguments.properties;
  return (
    <details class="card">
      <summary>
        <strong>{info.act}</strong> <span class="dim">{info.about}</span>
      </summary>
      <ActForm act={info.act} fixed={ofEvent ? { event } : {}} onDone={setDone} main={false} />
      {done && !done.job && <Said lines={done.said} />}
      {done && (
        <details>
          <summary>As JSON</summary>
          <pre>{JSON.stringify(done.result, null, 2)}</pre>
        </details>
      )}
    </details>
  );
}

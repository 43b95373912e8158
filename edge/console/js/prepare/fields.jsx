// The fields of a step, in groups.

import { titled } from '../format.js';
import { isFile } from '../kinds.js';
import { Argument } from '../argument.jsx';
import { Card } from '../kit.jsx';
import { groupsOf, LABELS } from './steps.js';

const WIDE = ['lines', 'text', 'travel', 'translations', 'fullest'];
export const labelOf = (name) => LABELS[name] ?? titled(name);

const NEEDED = ['name', 'event', 'sale_starts_at'];

/** `form`: {act, properties, values, set(name, value), files, choose(name, file)}. */
export function Groups({ step, form, without }) {
  return groupsOf(step, form.properties, without).map(([title, names]) => (
    <Card title={title} key={title}>
      <Fields names={names} form={form} />
    </Card>
  ));
}

export function Fields({ names, form }) {
  return (
    <div class="fields">
      {names.map((name) => {
        const file = isFile(form.act, name);
        return (
          <div key={name} class={WIDE.includes(name) ? 'wide' : undefined}>
            <Argument
              name={name}
              label={labelOf(name)}
              labelOf={labelOf}
              schema={form.properties[name]}
              required={!form.edits && NEEDED.includes(name)}
              marks={[' (needed)', '']}
              none={form.edits ? 'As it is' : 'Default'}
              file={file}
              value={file ? form.files[name] : form.values[name]}
              set={(value) => (file ? form.choose(name, value) : form.set(name, value))}
            />
          </div>
        );
      })}
    </div>
  );
}

// The control of an argument, made from its JSON Schema.

import { useRef } from 'preact/hooks';
import { titled } from './format.js';
import { absentOf, defaultOf, fits, hintOf, inputType, kindOf, unitOf } from './kinds.js';
import { Button, Field } from './kit.jsx';

const ZONES = Intl.supportedValuesOf?.('timeZone') ?? [];
const HEX = /^#[0-9a-f]{6}$/i;

function Flag({ label, hint, value, set }) {
  return (
    <label class="check">
      <input type="checkbox" checked={value ?? false} onChange={(e) => set(e.target.checked)} />
      <span>{label}</span>
      {hint && <small class="dim">{hint}</small>}
    </label>
  );
}

function Choice({ all, schema, none, set }) {
  return (
    <select {...all} onChange={(e) => set(e.target.value)}>
      <option value="">{none}</option>
      {schema.enum.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
}

function Zone({ all }) {
  return (
    <>
      <input {...all} list={`${all.id}-zones`} autocomplete="off" />
      <datalist id={`${all.id}-zones`}>
        {ZONES.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

function Color({ all, label, value, set }) {
  return (
    <span class="color">
      <input {...all} autocomplete="off" />
      <input
        type="color"
        aria-label={`${label}: choose`}
        value={HEX.test(value ?? '') ? value : '#888888'}
        onInput={(e) => set(e.target.value)}
      />
    </span>
  );
}

/** A file of this device; `chosen` is what was chosen before, {name}. */
export function FileField({ label, hint, accept, chosen, onChoose, error }) {
  const input = useRef(null);
  return (
    <Field label={label} hint={hint} error={error}>
      {(id, described) => (
        <>
          <input
            ref={input}
            id={id}
            type="file"
            accept={accept}
            aria-describedby={described}
            onClick={(e) => (e.target.value = '')} // so that a file that was mended can be chosen again
            onChange={(e) => e.target.files[0] && onChoose(e.target.files[0])}
          />
          {chosen && (
            <span class="row">
              <span>
                Chosen: <strong>{chosen.name}</strong>
              </span>
              <Button
                quiet
                aria-label={`Take ${chosen.name} away`}
                onClick={() => {
                  input.current.value = '';
                  onChoose(null);
                }}
              >
                Take away
              </Button>
            </span>
          )}
        </>
      )}
    </Field>
  );
}

const HINTS = { map: 'a line each: name=text', list: 'with a blank between', texts: 'JSON' };
const shownText = (value) => {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : value;
};

/**
 * The control of one argument. `file`: it names a file, and `value` is one; `marks`: what stands behind the labels of
 * arguments that are needed or not; `none`: the choice of nothing; `labelOf(name)`: what other arguments are called.
 */
export function Argument({
  name,
  label = titled(name),
  schema,
  required = false,
  marks = ['', ' (optional)'],
  none = required ? 'Choose …' : 'as it is',
  labelOf = titled,
  file,
  value,
  set
}) {
  const words = label + marks[required ? 0 : 1];
  const kind = kindOf(name, schema);
  const hint = [hintOf(schema, label, labelOf), HINTS[kind], unitOf(schema)].filter(Boolean).join('; ');
  if (file) return <FileField label={words} hint={hint} chosen={value} onChoose={set} />;
  if (kind === 'flag') return <Flag label={label} hint={hint} value={value} set={set} />;
  const control = (id, described) => {
    const input = { required, value: shownText(value), onInput: (e) => set(e.target.value) };
    const all = { id, 'aria-describedby': described, placeholder: defaultOf(schema) || undefined, ...input };
    if (kind === 'choice') return <Choice all={all} schema={schema} none={none} set={set} />;
    if (['map', 'texts', 'lines'].includes(kind)) {
      return <textarea {...all} dir="auto" rows={kind === 'lines' ? 4 : 3} />;
    }
    if (kind === 'moment') return <input {...all} type="datetime-local" max="9999-12-31T23:59" />;
    if (kind === 'zone') return <Zone all={all} />;
    if (kind === 'color') return <Color all={all} label={label} value={value} set={set} />;
    const numeric = kind === 'number' || Boolean(schema.pattern);
    return <input {...all} type={inputType(name)} inputMode={numeric ? 'decimal' : undefined} autocomplete="off" />;
  };
  const absent = kind === 'moment' && !required && absentOf(schema);
  const more = [hint, absent && `without one: ${absent}`].filter(Boolean).join('; ');
  return (
    <Field label={words} hint={more} error={fits(schema, value) ? undefined : `This cannot be read. ${more}`}>
      {control}
    </Field>
  );
}

// What is wrong with an event: each fault with the field, and in steps the way to it.

import { Notice, Refusal } from '../kit.jsx';
import { labelOf } from './fields.jsx';
import { stepOf } from './steps.js';

/** Calls fields in a sentence as the page does: "needs color_1" → "needs “Colour of buttons and links”". */
const called = (text, properties) =>
  text.replace(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, (name) => (name in properties ? `“${labelOf(name)}”` : name));

/** Returns {name, part} of what a fault is about: "price front" is of the field "price". */
function fieldOf(where, properties) {
  const [first, ...part] = where.split(' ');
  const name = first.toLowerCase();
  return name in properties ? { name, part: part.join(' ') } : null;
}

/** A refusal that begins with the name of a field, or of its file, is one fault of it. */
function faultsOf({ message, fields = {} }, properties, files) {
  if (Array.isArray(fields.errors)) return fields.errors;
  const use = Object.keys(files).find((one) => files[one] && one in properties && message.startsWith(files[one].name));
  if (use) return [{ where: use, what: message }];
  const [, name, what] = /^(?:argument )?([a-z][a-z0-9_]*):? (.+)$/s.exec(message) ?? [];
  return name in properties && (name.includes('_') || message.startsWith('argument')) ? [{ where: name, what }] : null;
}

/** `addressOf(step)`: where its fields are; without it they are on this screen. `files`: {field: {name}}. */
export function Wrong({ problem, properties, files = {}, addressOf }) {
  const faults = problem && faultsOf(problem, properties, files);
  if (!faults) return <Refusal problem={problem} />;
  return (
    <Notice tone="bad" title={faults.length === 1 ? 'One thing is wrong' : `${faults.length} things are wrong`}>
      <ul class="faults">
        {faults.map(({ where, what }) => {
          const field = fieldOf(where, properties);
          const label = field ? [labelOf(field.name), field.part].filter(Boolean).join(', ') : where;
          return (
            <li key={where + what}>
              {field && addressOf ? <a href={addressOf(stepOf(field.name).step)}>{label}</a> : <strong>{label}</strong>}
              : {called(what, properties)}
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}

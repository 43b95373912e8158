// The buyer's name and postal address, where the organiser asks for them.

import { explainAt, field, h } from './dom.js';
import { explain } from './problems.js';
import { say } from './words.js';

const FIELD = 'postal_address'; // of the body
// Field, what the browser fills in, longest text: as domain/orders/postal_address.py has it.
const FIELDS = [
  ['name', 'name', 80],
  ['street', 'street-address', 242],
  ['postcode', 'postal-code', 20],
  ['city', 'address-level2', 60],
  ['country', 'country-name', 60]
];

/** Whether the service refused the whole address: one is missing, or none is asked for. */
export const isAboutAsking = (error) => error.fields?.field === FIELD;

/** Writes an address on a line. */
export function postalLine(address) {
  const town = `${address.postcode} ${address.city}`.trim();
  return [address.name, ...address.street.split('\n'), town, address.country].join(', ');
}

export class PostalFields {
  constructor(address = {}) {
    this.controls = FIELDS.map(([name, autocomplete, maxlength]) =>
      h(name === 'street' ? 'textarea' : 'input', {
        id: `postal-${name}`,
        name,
        autocomplete,
        maxlength,
        rows: name === 'street' && 2,
        required: name !== 'postcode',
        value: address[name] || '',
        oninvalid: () => this.open()
      })
    );
    const fields = this.controls.map((control) => field(say(`postal-${control.name}`), control));
    this.element = h('fieldset', { class: 'postal' }, h('legend', {}, say('postal-heading')), fields);
  }

  get value() {
    return Object.fromEntries(this.controls.map((control) => [control.name, control.value.trim()]));
  }

  differsFrom(address) {
    return this.controls.some((control) => control.value.trim() !== address[control.name]);
  }

  /** Shows the fields, where they are folded away. */
  open() {
    this.element.closest('details')?.setAttribute('open', '');
  }

  clear() {
    for (const control of this.controls) explainAt(control);
  }

  /** Says at its field what is wrong with the address; returns whether the error is about one. */
  explain(error) {
    const control = this.controls.find((one) => error.fields?.field === `${FIELD}.${one.name}`);
    if (!control) return false;
    this.open();
    explainAt(control, explain(error));
    return true;
  }
}

// Prices by tier, with the whole price beside each as buyers first read it.

import { count, money } from '../format.js';
import { fits } from '../kinds.js';
import { Card, Notice } from '../kit.jsx';
import { digitsOf, ifAllIsSold, wholePrices } from './prices.js';

export const Swatch = ({ color }) =>
  color ? (
    <svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="7" fill={color} stroke="currentColor" />
    </svg>
  ) : null;

/** A price or a rate of one tier. */
function Cell({ name, tier, label, form, placeholder }) {
  const schema = form.properties[name].additionalProperties;
  const value = form.values[name]?.[tier] ?? '';
  const wrong = !fits(schema, value);
  return (
    <input
      aria-label={label}
      aria-invalid={wrong || undefined}
      class={wrong ? 'invalid' : undefined}
      inputMode="decimal"
      autocomplete="off"
      placeholder={placeholder}
      value={value}
      onInput={(e) => form.set(name, { ...form.values[name], [tier]: e.target.value })}
    />
  );
}

export function Prices({ tiers, form, currency }) {
  if (!form.properties.price) return null;
  if (tiers.length === 0) {
    return (
      <Card title="Prices by tier">
        <Notice tone="info">The chart names the price tiers: choose it first, under Venue.</Notice>
      </Card>
    );
  }
  const rows = wholePrices(tiers, form.values, digitsOf(currency));
  const sum = ifAllIsSold(rows);
  const counted = rows.some(({ places }) => places !== null);
  const perOrder = form.values.fee_order && Number(form.values.fee_order) > 0;
  return (
    <Card title="Prices by tier" aside={currency}>
      <table class="rows prices">
        <thead>
          <tr>
            <th scope="col">Tier</th>
            {counted && <th scope="col">Places</th>}
            <th scope="col">Price</th>
            <th scope="col">VAT in it</th>
            <th scope="col">Buyers read</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ tier, name, color, places, whole }) => (
            <tr key={tier}>
              <th scope="row">
                <Swatch color={color} /> {name} <small class="dim">{tier}</small>
              </th>
              {counted && <td data-name="Places">{count(places)}</td>}
              <td data-name="Price">
                <Cell
                  name="price"
                  tier={tier}
                  label={`Price of ${name}`}
                  form={form}
                  placeholder={form.values.price_all}
                />
              </td>
              <td data-name="VAT in it">
                <Cell
                  name="vat"
                  tier={tier}
                  label={`VAT of ${name}`}
                  form={form}
                  placeholder={form.values.vat_all ?? '0%'}
                />
              </td>
              <td data-name="Buyers read">
                <strong>{money(whole, currency)}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="dim">
        Buyers read the price of a place with its fee in it.
        {perOrder && ' The fee for each order is named beside it, and charged once.'}
        {sum !== null && ` If all is sold: ${money(sum, currency)} without fees.`}
      </p>
    </Card>
  );
}

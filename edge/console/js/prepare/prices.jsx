// Prices by tier: each with its whole price, and beside them the map as buyers will see it. A tier is chosen in either.

import { useRef, useState } from 'preact/hooks';
import { count, money } from '../format.js';
import { fits } from '../kinds.js';
import { Card, Notice } from '../kit.jsx';
import { Chart, seatText } from '../map/chart-map.jsx';
import { buyersEvent, digitsOf, ifAllIsSold, rankedRows, wholePrices } from './prices.js';

const COLOURS = 8; // of the buyers' map: what is cheaper shares the last

/** The colour that a tier has on the map; `rank`: 0 is the dearest. */
export const Swatch = ({ rank }) => <i class={`mark tier-${Math.min(rank, COLOURS - 1) + 1}`} />;

/** A price or a rate of one tier. */
function Cell({ name, tier, label, form, placeholder, control, onFocus }) {
  const schema = form.properties[name].additionalProperties;
  const value = form.values[name]?.[tier] ?? '';
  const wrong = !fits(schema, value);
  return (
    <input
      ref={control}
      aria-label={label}
      aria-invalid={wrong || undefined}
      class={wrong ? 'invalid' : undefined}
      inputMode="decimal"
      autocomplete="off"
      placeholder={placeholder}
      value={value}
      onFocus={onFocus}
      onInput={(e) => form.set(name, { ...form.values[name], [tier]: e.target.value })}
    />
  );
}

/** `drawn`: the drawing of the chart; without one the prices are a list alone. */
export function Prices({ tiers, form, currency, drawn }) {
  const [lit, setLit] = useState(null);
  const controls = useRef(new Map());
  if (!form.properties.price) return null;
  if (tiers.length === 0) {
    return (
      <Card title="Prices by tier">
        <Notice tone="info">The chart names the price tiers: choose it first, under Venue.</Notice>
      </Card>
    );
  }
  const rows = rankedRows(wholePrices(tiers, form.values, digitsOf(currency)));
  const goTo = (tier) => controls.current.get(tier)?.focus();
  return (
    <div class={drawn ? 'priced-beside' : undefined}>
      {drawn && (
        <AsBuyers drawn={drawn} rows={rows} currency={currency} lit={lit} goTo={goTo} onAll={() => setLit(null)} />
      )}
      <Card title="Prices by tier" aside={currency}>
        <Table rows={rows} form={form} currency={currency} controls={controls} lit={lit} onFocus={setLit} />
        <Sums rows={rows} form={form} currency={currency} />
      </Card>
    </div>
  );
}

function Table({ rows, form, currency, controls, lit, onFocus }) {
  const counted = rows.some(({ places }) => places !== null);
  const fee = Number(form.values.fee_ticket) > 0;
  return (
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
        {rows.map(({ tier, name, rank, places, whole, vat }) => (
          <tr key={tier} class={lit === tier ? 'lit' : undefined}>
            <th scope="row">
              <Swatch rank={rank} /> {name} <small class="dim">{tier}</small>
            </th>
            {counted && <td data-name="Places">{count(places)}</td>}
            <td data-name="Price">
              <Cell
                name="price"
                tier={tier}
                label={`Price of ${name}`}
                form={form}
                placeholder={form.values.price_all}
                control={(input) => controls.current.set(tier, input)}
                onFocus={() => onFocus(tier)}
              />
            </td>
            <td data-name="VAT in it">
              <Cell
                name="vat"
                tier={tier}
                label={`VAT of ${name}`}
                form={form}
                placeholder={form.values.vat_all ?? '0%'}
                onFocus={() => onFocus(tier)}
              />
            </td>
            <td data-name="Buyers read">
              <span>
                <strong>{money(whole, currency)}</strong>
                {whole !== null && (
                  <small class="dim">
                    {fee && 'with its fee; '}VAT in it {money(vat, currency)}
                  </small>
                )}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Sums({ rows, form, currency }) {
  const sum = ifAllIsSold(rows);
  const perOrder = form.values.fee_order && Number(form.values.fee_order) > 0;
  return (
    <p class="dim">
      Buyers read the price of a place with its fee in it.
      {perOrder && ' The fee for each order is named beside it, and charged once.'}
      {sum !== null && ` If all is sold: ${money(sum, currency)} without fees.`}
    </p>
  );
}

/** The map with the prices that buyers will read on it, and its legend; `goTo(tier)` goes to the field of its price. */
function AsBuyers({ drawn, rows, currency, lit, goTo, onAll }) {
  const priced = rows.filter(({ whole }) => whole !== null);
  const least = priced.length > 0 ? Math.min(...priced.map(({ whole }) => whole)) : null;
  const of = new Map(rows.map((row) => [row.tier, row]));
  const priceOf = ({ whole }) => (whole === null ? 'no price yet' : money(whole, currency));
  const from = (place, map) => {
    const tiers = map.tiersOf(place).map(({ id }) => of.get(id));
    const known = tiers.flatMap(({ whole }) => (whole === null ? [] : [whole]));
    if (tiers.length > 0 && known.length === 0) return 'no price yet';
    if (known.length === 0) return '';
    const low = money(Math.min(...known), currency);
    return known.every((one) => one === known[0]) ? low : `from ${low}`;
  };
  return (
    <Card title="As buyers will see it" aside={least === null ? '' : `from ${money(least, currency)}`}>
      <div class="row legend" role="group" aria-label="Tiers: choose one to type its price">
        {rows.map((row) => (
          <button
            type="button"
            class="chip"
            key={row.tier}
            aria-pressed={lit === row.tier}
            onClick={() => goTo(row.tier)}
          >
            <Swatch rank={row.rank} /> {row.name} <span class="dim">{priceOf(row)}</span>
          </button>
        ))}
        <button type="button" class="chip" aria-pressed={lit === null} onClick={onAll}>
          All tiers
        </button>
      </div>
      <Chart
        drawn={drawn}
        kind="priced"
        event={buyersEvent(rows, currency)}
        lit={lit}
        noteOf={from}
        saidOf={(seat) => `${seatText(seat)}: ${of.get(seat.tier).name}, ${priceOf(of.get(seat.tier))}`}
        onTier={goTo}
      />
    </Card>
  );
}

// What was sold and given back, in sums.

import { count, money, onDay, titled } from '../format.js';
import { Card, Empty, Notice } from '../kit.jsx';
import { summed } from './sums.js';

const BY = [
  ['tier', 'By tier', 'Tier'],
  ['day', 'By day', 'Day'],
  ['vat_percent', 'By rate of VAT', 'Rate'],
  ['kind', 'Sold and given back', 'Kind']
];

export function Sales({ sales }) {
  if (sales.rows.length === 0) return <Empty>Nothing was sold.</Empty>;
  return (
    <>
      {sales.damaged.length > 0 && (
        <Notice tone="warn" title="Left out, as it is damaged">
          <p>{sales.damaged.join(', ')}</p>
        </Notice>
      )}
      <div class="curves">
        {BY.map(([field, title, column]) => (
          <Card key={field} title={title} aside={field === 'day' ? sales.time_zone : undefined}>
            <table class="sheet">
              <thead>
                <tr>
                  <th scope="col">{column}</th>
                  <th scope="col">Tickets</th>
                  <th scope="col">Amount</th>
                  <th scope="col">Net</th>
                  <th scope="col">VAT</th>
                </tr>
              </thead>
              <tbody>
                {summed(sales.rows, field).map((one) => (
                  <tr key={one.name}>
                    <th scope="row">{labelOf(field, one.name)}</th>
                    <td>{count(one.tickets)}</td>
                    <td>{money(one.amount_minor, sales.currency)}</td>
                    <td>{money(one.net_minor, sales.currency)}</td>
                    <td>{money(one.vat_minor, sales.currency)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Card>
        ))}
      </div>
    </>
  );
}

function labelOf(field, name) {
  if (field === 'vat_percent') return `${name}%`;
  if (field === 'day') return onDay(name);
  return field === 'kind' ? titled(name) : name;
}

// After the sale: what was sold and given back, whether the books agree, and files for spreadsheets.

import { useState } from 'preact/hooks';
import { figuresOf, look, may } from '../acts.js';
import { saveCsv } from '../csv.js';
import { count, money, on, share, titled, zone } from '../format.js';
import { Button, Card, Empty, Loading, Notice, Refusal, tell, Tile } from '../kit.jsx';
import { useLook } from '../use-look.js';
import { EXPORTS, rowsOf } from './exports.js';
import { summed } from './sums.js';

const read = async (event) => {
  const sales = may('books sales') ? look('books sales', { event }) : null;
  const [figures, sold] = await Promise.all([figuresOf(event), sales]);
  return { figures, sales: sold };
};

export function After({ event }) {
  const { data, problem, again } = useLook(() => read(event), [event]);
  if (!data) return problem ? <Refusal problem={problem} /> : <Loading />;
  const { figures, sales } = data;
  return (
    <>
      <div class="head row">
        <div>
          <h1>After the sale: {figures.name || event}</h1>
          <p class="dim">
            Figures of {on(figures.at)}, {zone}.
          </p>
        </div>
        <span class="push row">
          <Button onClick={again}>Read again</Button>
          <Button onClick={() => globalThis.print()}>Print</Button>
        </span>
      </div>
      <Refusal problem={problem} />
      <Tiles figures={figures} sales={sales} />
      {sales && <Sales sales={sales} />}
      <Exports event={event} />
    </>
  );
}

function Tiles({ figures, sales }) {
  const { seats, sale } = figures;
  const back = (sales?.rows ?? []).filter(({ kind }) => kind === 'refund');
  const given = back.reduce((sum, one) => sum - one.amount_minor, 0);
  return (
    <dl class="tiles broad">
      <Tile name="Sold" value={count(seats.sold)} more={`${share(seats.sold, seats.total)} of ${count(seats.total)}`} />
      <Tile name="Takings" value={money(sale.revenue_minor, sale.currency)} />
      {sales && (
        <>
          <Tile name="Given back" value={money(given, sales.currency)} />
          <Tile
            name="Net"
            value={money(sales.total.net_minor, sales.currency)}
            more={`VAT ${money(sales.total.vat_minor, sales.currency)}`}
          />
        </>
      )}
    </dl>
  );
}

const BY = [
  ['tier', 'By tier', 'Tier'],
  ['day', 'By day', 'Day'],
  ['vat_percent', 'By rate of VAT', 'Rate'],
  ['kind', 'Sold and given back', 'Kind']
];

function Sales({ sales }) {
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
  if (field === 'vat_percent') return `${name} %`;
  return field === 'kind' ? titled(name) : name;
}

function Exports({ event }) {
  const [state, setState] = useState({ busy: '', read: 0, problem: null });
  const possible = EXPORTS.filter(({ act }) => may(act));
  async function make(one) {
    setState({ busy: one.act, read: 0, problem: null });
    try {
      const rows = await rowsOf(one, event, (read) => setState({ busy: one.act, read, problem: null }));
      saveCsv(`${event}-${one.act.replace(' ', '-')}`, one.columns, rows);
      tell(`${count(rows.length)} rows are in the file.`);
      setState({ busy: '', read: 0, problem: null });
    } catch (problem) {
      setState({ busy: '', read: 0, problem });
    }
  }
  if (possible.length === 0) return null;
  return (
    <div class="files">
      <Card title="Files for spreadsheets">
        <p class="dim">Each is made here, of what the service answers now.</p>
        <Refusal problem={state.problem} />
        <div class="acts">
          {possible.map((one) => (
            <Button
              key={one.act}
              busy={state.busy === one.act}
              disabled={Boolean(state.busy)}
              onClick={() => make(one)}
            >
              {state.busy === one.act ? `${count(state.read)} rows …` : one.name}
            </Button>
          ))}
        </div>
      </Card>
    </div>
  );
}

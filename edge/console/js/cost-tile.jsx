// What a sale has cost so far: a figure, and by click what it is made of. Modelled, never a bill.

import { useState } from 'preact/hooks';
import { look } from './acts.js';
import { at, count, dollars, rate } from './format.js';
import { Button, Dialog, Tile } from './kit.jsx';
import { useLook } from './use-look.js';

const EVERY_MS = 60000;
const CENT = 0.01;

export function CostTile({ event }) {
  const { data, problem } = useLook(() => look('live cost', { event }), [event], EVERY_MS);
  const [open, setOpen] = useState(false);
  const more = data ? (
    <Button quiet onClick={() => setOpen(true)}>
      What is in it
    </Button>
  ) : (
    problem && 'It cannot be read now.'
  );
  return (
    <>
      <Tile name="Cost, modelled" value={dollars(data?.dollars, { round: true })} more={more} />
      {open && <CostDialog cost={data} onClose={() => setOpen(false)} />}
    </>
  );
}

function CostDialog({ cost, onClose }) {
  const rows = [...cost.rows].sort((a, b) => b.dollars - a.dollars);
  return (
    <Dialog title="What the sale has cost so far" onClose={onClose}>
      <p>
        <strong class="figure">{dollars(cost.dollars)}</strong> until {at(cost.until)}. This is modelled: from what the
        figures count, and from AWS's list prices. The bill comes later, and may differ.
      </p>
      {cost.missing && <p>{cost.missing}</p>}
      <p class="dim">{cost.left_out}</p>
      <div class="scrolled" tabIndex={0} role="region" aria-label="What the cost is made of">
        <table>
          <thead>
            <tr>
              <th scope="col">Made of</th>
              <th scope="col">Number</th>
            </tr>
          </thead>
          <tbody>
            {cost.basis.map((one) => (
              <tr key={one.what}>
                <th scope="row">{one.what}</th>
                <td>
                  {count(one.count)} <small>{one.how}</small>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <table>
          <thead>
            <tr>
              <th scope="col">AWS charges for</th>
              <th scope="col">Amount</th>
              <th scope="col">USD</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <tr key={one.what}>
                <th scope="row">{one.what}</th>
                <td>
                  {rate(one.amount)} {one.unit}
                </td>
                <td class="figure">{one.dollars < CENT ? 'under $0.01' : dollars(one.dollars)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="row buttons">
        <Button main onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

// The orders of an event: found by what a buyer says of them; and what only a person can do.

import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { look, may } from '../acts.js';
import { count, money, on } from '../format.js';
import { Badge, Button, Empty, Field, Loading, Notice, Refusal } from '../kit.jsx';
import { addressOf, placesOf, planOf, shortOf } from './find.js';
import { Order } from './order.jsx';
import { STATES, stateOf } from './states.js';
import { Tasks } from './tasks.jsx';

const AT_ONCE = 25; // rows
const PAUSE_MS = 500; // between two parts: one address may ask about twice a second

// What was looked for last stays in this window's memory, and is in no address.
const asked = signal({ event: '', text: '', state: '' });

export function Orders({ event, rest }) {
  if (rest[0]) return <Order key={rest[0]} event={event} order={rest[0]} />;
  return (
    <>
      <div class="head">
        <h1>Orders</h1>
      </div>
      <Tasks event={event} />
      {may('orders list') ? <Find event={event} /> : <Named event={event} />}
    </>
  );
}

/** For those who may act on an order and see no buyers: they name it. */
function Named({ event }) {
  const [text, setText] = useState('');
  const go = (e) => {
    e.preventDefault();
    const { order } = planOf(text);
    if (order) location.hash = addressOf(event, order);
  };
  return (
    <form class="card" onSubmit={go}>
      <Field label="An order’s number" hint="Your role does not see who bought what.">
        {(id, hint) => <input id={id} aria-describedby={hint} value={text} onInput={(e) => setText(e.target.value)} />}
      </Field>
      <div class="row buttons">
        <Button type="submit" main disabled={!planOf(text).order}>
          Open it
        </Button>
      </div>
    </form>
  );
}

const NOTHING = { orders: [], looked: 0, after: '', complete: false, damaged: [] };

/** Returns {found, busy, problem, begin, more, stop}: reads part after part until so many orders are found. */
function useSearch(event) {
  const [found, setFound] = useState(NOTHING);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(null);
  const turn = useRef(0);

  async function read(from, wish, wanted) {
    const mine = ++turn.current;
    const { email, find } = planOf(wish.text);
    setBusy(true);
    setProblem(null);
    let now = from;
    try {
      while (mine === turn.current) {
        const part = await look('orders list', { event, email, find, state: wish.state, after: now.after });
        if (mine !== turn.current) return;
        now = {
          orders: [...now.orders, ...part.orders],
          looked: now.looked + part.looked_at,
          after: part.after ?? '',
          complete: !part.after,
          damaged: [...now.damaged, ...part.damaged]
        };
        setFound(now);
        if (now.complete || now.orders.length >= wanted) break;
        await new Promise((done) => setTimeout(done, PAUSE_MS));
      }
    } catch (refusal) {
      if (mine === turn.current) setProblem(refusal);
    } finally {
      if (mine === turn.current) setBusy(false);
    }
  }

  const stop = () => {
    turn.current += 1;
    setBusy(false);
  };
  useEffect(() => stop, []);
  return {
    found,
    busy,
    problem,
    stop,
    begin: (wish) => (setFound(NOTHING), read(NOTHING, wish, AT_ONCE)),
    more: (wish, wanted) => read(found, wish, wanted)
  };
}

function Find({ event }) {
  const kept = asked.value.event === event ? asked.value : { event, text: '', state: '' };
  const [wish, setWish] = useState(kept);
  const [rows, setRows] = useState(AT_ONCE);
  const { found, busy, problem, begin, more, stop } = useSearch(event);
  useEffect(() => {
    begin(kept);
  }, []);

  function search(next) {
    const { order } = planOf(next.text);
    asked.value = next;
    setWish(next);
    setRows(AT_ONCE);
    if (order) location.hash = addressOf(event, order);
    else begin(next);
  }

  async function showMore() {
    setRows(rows + AT_ONCE);
    if (found.orders.length < rows + AT_ONCE && !found.complete) await more(asked.value, rows + AT_ONCE);
  }

  const shown = found.orders.slice(0, rows);
  return (
    <>
      <form
        class="search"
        role="search"
        onSubmit={(e) => {
          e.preventDefault();
          search(wish);
        }}
      >
        <Field
          label="Name, mail address, order, ticket, seat or payment"
          hint="A whole mail address, or words such as 107 E 7."
        >
          {(id, hint) => (
            <input
              id={id}
              type="search"
              aria-describedby={hint}
              autocomplete="off"
              value={wish.text}
              onInput={(e) => setWish({ ...wish, text: e.target.value })}
            />
          )}
        </Field>
        <Field label="State">
          {(id) => (
            <select id={id} value={wish.state} onChange={(e) => search({ ...wish, state: e.target.value })}>
              <option value="">All</option>
              {Object.entries(STATES).map(([state, [, words]]) => (
                <option key={state} value={state}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Button type="submit" main busy={busy}>
          Search
        </Button>
      </form>
      <Refusal problem={problem} />
      {found.damaged.length > 0 && (
        <Notice tone="warn" title="Left out, as they are damaged">
          <p>{found.damaged.join(', ')}</p>
        </Notice>
      )}
      {busy && found.looked === 0 && <Loading />}
      {shown.length > 0 && <Rows event={event} orders={shown} />}
      {!busy && !problem && found.orders.length === 0 && <Empty>No order is found.</Empty>}
      <div class="row buttons" role="status">
        <span class="dim">
          {busy && found.looked > 0
            ? `${count(found.looked)} orders read …`
            : `${count(found.orders.length)} found${found.complete ? '' : ' so far'}, the oldest first`}
        </span>
        {busy && found.looked > 0 && <Button onClick={stop}>Stop</Button>}
        {!busy && (found.orders.length > rows || (!found.complete && found.looked > 0)) && (
          <Button onClick={showMore}>Show more</Button>
        )}
      </div>
    </>
  );
}

const Rows = ({ event, orders }) => (
  <table class="rows found">
    <thead>
      <tr>
        <th scope="col">Order</th>
        <th scope="col">Buyer</th>
        <th scope="col">Places</th>
        <th scope="col" class="amount">
          Amount
        </th>
        <th scope="col">State</th>
        <th scope="col">Ordered</th>
      </tr>
    </thead>
    <tbody>
      {orders.map((order) => (
        <tr key={order.order}>
          <td>
            <a class="number" href={addressOf(event, order.order)} aria-label={`Order ${order.order}`}>
              {shortOf(order.order)}
            </a>
          </td>
          <td>
            <bdi>{order.postal_address?.name ?? order.email}</bdi>
          </td>
          <td class="dim">{placesOf(order)}</td>
          <td class="amount">{money(order.total_minor, order.currency)}</td>
          <td>
            <Badge tone={stateOf(order.state)[0]}>{stateOf(order.state)[1]}</Badge>
          </td>
          <td class="dim">{on(order.created_at)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

// One order: what it is made of, what became of it, and what can be done to it.

import { useRef, useState } from 'preact/hooks';
import { look, may } from '../acts.js';
import { money, on, zone } from '../format.js';
import { Badge, Button, Card, Loading, Notice, Refusal } from '../kit.jsx';
import { JobButton } from '../jobs/button.jsx';
import { askAbout } from '../people.jsx';
import { Step } from '../step.jsx';
import { useLook } from '../use-look.js';
import { changesOf, ORDER_ACTS } from './order-acts.js';
import { stateOf, ticketsOf } from './states.js';
import { storyOf } from './story.js';

async function read(event, order) {
  const log = may('event log') ? look('event log', { event }) : Promise.resolve({ entries: [] });
  const known = may('orders show') ? await look('orders show', { order }) : { order, unseen: true };
  const { entries } = await log.catch(() => ({ entries: [] })); // who did it is then not told
  return { known, entries };
}

export function Order({ event, order: name }) {
  const { data, problem, again } = useLook(() => read(event, name), [event, name]);
  const back = (
    <p class="back">
      <a href={`#/e/${encodeURIComponent(event)}/orders`}>All orders</a>
    </p>
  );
  if (!data) {
    return (
      <>
        {back}
        {problem ? <Refusal problem={problem} /> : <Loading />}
      </>
    );
  }
  const { known, entries } = data;
  const [tone, words] = stateOf(known.state);
  return (
    <>
      {back}
      <div class="head row">
        <h1 class="number">{name}</h1>
        {known.state && (
          <span class="push">
            <Badge tone={tone}>{words}</Badge>
          </span>
        )}
      </div>
      <Refusal problem={problem} />
      {known.event && known.event !== event && (
        <Notice tone="warn">This order is of another event: {known.event}.</Notice>
      )}
      {known.unmailable && <Notice tone="warn">{known.unmailable}</Notice>}
      <div class="board of-order">
        <div class="forms">
          {!known.unseen && <Buyer order={known} event={event} />}
          {!known.unseen && <Amounts order={known} />}
          {!known.unseen && <Tickets order={known} />}
        </div>
        <div class="forms">
          <Acts event={event} order={known} onDone={again} />
          {(known.unseen || known.paid_at) && <Invoice event={event} order={name} />}
          <Story events={storyOf(known, entries)} />
        </div>
      </div>
    </>
  );
}

function Buyer({ order, event }) {
  const postal = order.postal_address;
  const ask = () => {
    askAbout(event, order.user);
    location.hash = `#/e/${encodeURIComponent(event)}/people`;
  };
  return (
    <Card title="Buyer">
      <div>
        {postal && (
          <p>
            <bdi>{[postal.name, postal.street, `${postal.postcode} ${postal.city}`, postal.country].join(', ')}</bdi>
          </p>
        )}
        <p class="long">
          <bdi>{order.erased_at ? `Address erased ${on(order.erased_at)}` : order.email}</bdi>
        </p>
        <p class="dim long">
          Account <bdi>{order.user}</bdi>
        </p>
      </div>
      {may('buyer show') && (
        <div class="row buttons">
          <Button onClick={ask}>What is stored about them</Button>
        </div>
      )}
    </Card>
  );
}

const REFUND = {
  owed: 'on its way to the payment provider',
  pending: 'on its way',
  succeeded: 'arrived',
  failed: 'came back',
  refused: 'refused'
};

function Amounts({ order }) {
  const paid = (minor) => money(minor, order.currency);
  const due = order.state === 'pending' ? order.total_minor : 0;
  return (
    <Card title="What it costs">
      <dl class="sums">
        {(order.lines ?? []).map((line) => (
          <div key={`${line.kind} ${line.label}`}>
            <dt>
              {line.quantity} × {line.label}
            </dt>
            <dd>{paid(line.quantity * line.price_minor)}</dd>
          </div>
        ))}
        {order.vat_minor > 0 && (
          <div class="dim">
            <dt>of which VAT</dt>
            <dd>{paid(order.vat_minor)}</dd>
          </div>
        )}
        <div class="total">
          <dt>{order.paid_at ? 'Paid' : 'Price'}</dt>
          <dd>{paid(order.total_minor)}</dd>
        </div>
        {(order.refunds ?? []).map((one) => (
          <div key={`${one.payment} ${one.part}`}>
            <dt>
              Refund{one.part ? ` ${one.part}` : ''}: {REFUND[one.state] ?? one.state}
              {one.reason ? ` (${one.reason})` : ''}
            </dt>
            <dd>−{paid(one.amount_minor)}</dd>
          </div>
        ))}
        {order.paid_at && (
          <div class="total">
            <dt>Left of the price</dt>
            <dd>{paid(order.left_minor)}</dd>
          </div>
        )}
        {due > 0 && (
          <div class="total">
            <dt>Due</dt>
            <dd>{paid(due)}</dd>
          </div>
        )}
      </dl>
      {order.payment && <p class="dim long">Payment {order.payment}</p>}
    </Card>
  );
}

function Tickets({ order }) {
  const tickets = ticketsOf(order);
  if (tickets.length === 0) {
    return (
      <Card title="Places">
        <ul class="list">
          {order.units.map((unit) => (
            <li key={unit.label}>
              {unit.quantity > 1 ? `${unit.quantity} × ` : ''}
              {unit.label}
            </li>
          ))}
        </ul>
      </Card>
    );
  }
  return (
    <Card title="Tickets" aside={`${tickets.filter((one) => one.good).length} of ${tickets.length} good`}>
      <ul class="list">
        {tickets.map((one) => (
          <li key={one.ticket} class="row">
            <span class="long">
              {one.label} <small class="number">{one.ticket}</small>
            </span>
            <span class="push">
              <Badge tone={one.tone}>{one.words}</Badge>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Acts({ event, order, onDone }) {
  const [open, setOpen] = useState('');
  const acts = useRef(null);
  const possible = ORDER_ACTS.filter(({ act, when }) => may(act) && (order.unseen || when(order)));
  if (possible.length === 0) return null;
  const one = possible.find(({ act }) => act === open);
  const before = (result) => (order.unseen && typeof result.order === 'object' ? result.order : order);
  return (
    <Card title="Help the buyer">
      <div class="acts" role="group" aria-label="Acts" tabIndex={-1} ref={acts}>
        {possible.map(({ act, name }) => (
          <Button key={act} aria-expanded={act === open} onClick={() => setOpen(act === open ? '' : act)}>
            {name}
          </Button>
        ))}
      </div>
      {one && (
        <Step
          key={one.act}
          act={one.act}
          fields={one.fields(order)}
          fixed={{ event, order: order.order }}
          changes={one.then && ((result, args) => changesOf(before(result), one.then(before(result), result, args)))}
          submit={one.submit}
          onDone={() => {
            setOpen('');
            acts.current.focus(); // its own button goes with the form, or with the order's state
            onDone();
          }}
        />
      )}
    </Card>
  );
}

function Invoice({ event, order }) {
  if (!may('orders invoice')) return null;
  return (
    <Card title="Invoice">
      <p class="dim">A PDF with the invoice and its credit notes. What has no number yet gets one, for good.</p>
      <JobButton
        act="orders invoice"
        event={event}
        args={{ event, order }}
        wanted={(job) => job.arguments?.order === order}
      >
        Make the invoice
      </JobButton>
    </Card>
  );
}

function Story({ events }) {
  if (events.length === 0) return null;
  return (
    <Card title="What happened" aside={zone}>
      <ol class="story">
        {events.map((one, n) => (
          <li key={n} class={one.tone}>
            <strong>{one.verb}</strong>
            <time dateTime={one.at}>{on(one.at)}</time>
            {one.detail && <span class="dim">{one.detail}</span>}
            {one.who && <span class="dim">by {one.who}</span>}
          </li>
        ))}
      </ol>
    </Card>
  );
}

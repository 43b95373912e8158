// The proof that the draw was fair, in the order in which it is given: each step with what it proves.

import { look, may } from '../acts.js';
import { ActForm } from '../act-form.jsx';
import { on } from '../format.js';
import { JobButton } from '../jobs/button.jsx';
import { useJob } from '../jobs/job.jsx';
import { Loading, Notice, Refusal } from '../kit.jsx';
import { useLook } from '../use-look.js';
import { DifferenceTable } from './difference-table.jsx';
import { NumberedStep } from './numbered-step.jsx';

const ENDED = ['soldout', 'closed', 'sold out'];

export function Proof({ event, figures }) {
  const { data: draw, problem, again } = useLook(() => (may('draw show') ? look('draw show', { event }) : {}), [event]);
  if (!draw) return problem ? <Refusal problem={problem} /> : <Loading />;
  const started = Date.parse(figures.gate.sale_starts_at) <= Date.now();
  const ended = ENDED.includes(figures.gate.state) || ENDED.includes(figures.gate.phase);
  const step = { event, draw, again, started, ended };
  return (
    <>
      <Refusal problem={problem} />
      <ol class="proof">
        {may('draw show') && <Commitment {...step} />}
        {may('draw show') && <Beacon {...step} />}
        {may('draw show') && <Reveal {...step} />}
        {may('audit check') && <Check event={event} />}
        {may('audit export') && <Export {...step} />}
        {may('audit items') && <Laws />}
      </ol>
    </>
  );
}

function Commitment({ draw }) {
  return (
    <NumberedStep
      title="Commitment"
      state={['good', 'Published']}
      does="It was published with the event. It proves that nobody exchanged the draw’s key afterwards."
    >
      <p class="number">
        <code>{draw.draw_commitment}</code>
      </p>
    </NumberedStep>
  );
}

function Beacon({ event, draw, again, started }) {
  const { draw_beacon: beacon } = draw;
  const proves =
    'A public value that nobody knew when the key was made. It proves that the key was not chosen to suit somebody.';
  if (!beacon) {
    return (
      <NumberedStep title="Beacon" state={['info', 'None']} does={proves}>
        {started && <p>The sale started without one, which is allowed.</p>}
        {!started && may('draw announce') && (
          <ActForm
            act="draw announce"
            fixed={{ event }}
            labels={{ source: 'Where the value will stand', at: 'When it will exist' }}
            submit="Announce it"
            main={false}
            onDone={again}
          />
        )}
      </NumberedStep>
    );
  }
  return (
    <NumberedStep
      title="Beacon"
      state={beacon.value ? ['good', 'Mixed in'] : ['warn', 'Announced, its value is missing']}
      does={proves}
    >
      <p class="long">
        <bdi>{beacon.source}</bdi> of {on(beacon.at)}
      </p>
      {beacon.value && (
        <p class="number">
          <code>{beacon.value}</code>
        </p>
      )}
      {!beacon.value && <p>Nobody is drawn before its value is mixed in.</p>}
      {!beacon.value && may('draw beacon') && (
        <ActForm
          act="draw beacon"
          fixed={{ event }}
          labels={{ value: 'The value, exactly as its source publishes it' }}
          submit="Mix it in"
          main={false}
          onDone={again}
        />
      )}
    </NumberedStep>
  );
}

function Reveal({ event, draw, again, ended }) {
  const { draw_key_revealed: key } = draw;
  return (
    <NumberedStep
      title="Reveal the key"
      state={key ? ['good', 'Published'] : ['info', ended ? 'Not published yet' : 'After the end']}
      does="With it everybody can compute every number, and check that its hash is the commitment."
    >
      {key && (
        <p class="number">
          <code>{key}</code>
        </p>
      )}
      {!key && !ended && <p>It stays secret until the sale has ended, because it tells every number.</p>}
      {!key && ended && may('draw reveal') && (
        <ActForm act="draw reveal" fixed={{ event }} submit="Publish the key" main={false} onDone={again} />
      )}
    </NumberedStep>
  );
}

const wanted = (job) => !job.dry_run;

function Check({ event }) {
  const job = useJob('audit check', event, wanted);
  return (
    <NumberedStep
      title="Check every admission"
      does="Decides each admission again by the published rules. It proves that nobody was let in before their turn."
    >
      <JobButton act="audit check" event={event} args={{ event }} wanted={wanted}>
        {job ? 'Check again' : 'Check now'}
      </JobButton>
      {job?.state === 'done' && (
        <DifferenceTable
          name={`${event}-findings`}
          columns={[
            ['What', (one) => one.kind],
            ['When', (one) => one.at],
            ['Session', (one) => one.session],
            ['Details', (one) => one.what]
          ]}
          rows={job.result?.findings}
        />
      )}
    </NumberedStep>
  );
}

function Export({ event, draw }) {
  const published = Boolean(draw.draw_key_revealed);
  return (
    <NumberedStep
      title="Log and rules as files"
      does="Everybody can check the sale with them on their own machine, without this service."
    >
      {!published && (
        <Notice tone="info">
          The rules and a log for the public need the published key. The log alone can be made.
        </Notice>
      )}
      <ActForm
        act="audit export"
        fixed={{ event }}
        labels={{ config: 'The rules, too', publish: 'For the public' }}
        submit="Make the files"
        main={false}
      />
    </NumberedStep>
  );
}

function Laws() {
  const job = useJob('audit items', '', wanted);
  return (
    <NumberedStep
      title="Check all stored items"
      does="Of all events. It proves that no seat was sold twice, and each payment is tickets or a refund."
    >
      <JobButton act="audit items" event="" args={{}} wanted={wanted}>
        {job ? 'Check again' : 'Check now'}
      </JobButton>
      {job?.state === 'done' && (
        <DifferenceTable
          name="laws"
          columns={[
            ['Law', (one) => one.law],
            ['Which', (one) => one.thing],
            ['Details', (one) => one.what]
          ]}
          rows={job.result?.findings}
        />
      )}
    </NumberedStep>
  );
}

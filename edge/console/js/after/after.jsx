// After the sale: what happened, the proof of its draw, the books, files, and calling the event off.

import { useEffect, useRef } from 'preact/hooks';
import { figuresOf, may } from '../acts.js';
import { on, zone } from '../format.js';
import { Loading, Notice, Refusal } from '../kit.jsx';
import { useLook } from '../use-look.js';
import { Books } from './books.jsx';
import { CallOff } from './call-off.jsx';
import { ExportFiles } from './export-files.jsx';
import { Proof } from './proof.jsx';
import { SaleReport } from './sale-report.jsx';

const EVERY_MS = 15_000; // the first figures come within a minute after an event was made
const PARTS = [
  { part: 'report', name: 'Report', Shown: SaleReport, counts: true, needs: ['report', 'books sales'] },
  { part: 'proof', name: 'Proof of the draw', Shown: Proof, counts: true, needs: ['draw show', 'audit check'] },
  { part: 'books', name: 'Books', Shown: Books, needs: ['books check', 'books import', 'orders reconcile'] },
  { part: 'files', name: 'Files', Shown: ExportFiles, needs: ['books sales', 'books ledger'] },
  { part: 'call-off', name: 'Call it off', Shown: CallOff, needs: ['event cancel'] }
];

export function After({ event, rest }) {
  const { data: figures, problem, again } = useLook(() => figuresOf(event), [event], EVERY_MS);
  const here = useRef(null);
  const open = PARTS.filter(({ needs }) => needs.some((act) => may(act)));
  const { part, Shown, counts } = open.find((one) => one.part === rest[0]) ?? open[0];
  useEffect(() => {
    here.current.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [part]);
  return (
    <>
      <div class="head">
        <h1>After the sale: {figures?.name || event}</h1>
        {figures && (
          <p class="dim">
            Figures of {on(figures.at)}, {zone}.
          </p>
        )}
        <nav class="tabs" aria-label="After the sale" ref={here}>
          {open.map((one) => (
            <a
              key={one.part}
              href={`#/e/${encodeURIComponent(event)}/after/${one.part}`}
              aria-current={one.part === part ? 'page' : undefined}
            >
              {one.name}
            </a>
          ))}
        </nav>
      </div>
      {figures && <Refusal problem={problem} />}
      {figures || !counts ? (
        <Shown key={`${event} ${part}`} event={event} figures={figures} again={again} />
      ) : (
        <NoFigures problem={problem} />
      )}
    </>
  );
}

function NoFigures({ problem }) {
  if (!problem) return <Loading />;
  if (problem.status !== 404) return <Refusal problem={problem} />;
  return (
    <Notice tone="info" title={problem.message}>
      <p>Figures come within a minute after an event was made.</p>
    </Notice>
  );
}

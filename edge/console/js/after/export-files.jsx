// Files for spreadsheets, the large ones made by the service; and for scanners at the entrance.

import { useState } from 'preact/hooks';
import { may } from '../acts.js';
import { saveCsv } from '../csv.js';
import { count } from '../format.js';
import { JobButton } from '../jobs/button.jsx';
import { Button, Card, Refusal, tell } from '../kit.jsx';
import { argumentsOf, EXPORTS, LARGE, rowsOf } from './exports.js';

export function ExportFiles({ event }) {
  return (
    <div class="board">
      <Spreadsheets event={event} />
      {LARGE.filter(({ act }) => may(act)).map(({ act, name }) => (
        <LargeFile key={act} act={act} name={name} event={event} />
      ))}
      {may('ticket void-list') && (
        <Card title="For the entrance">
          <p>
            Tickets that admit nobody, for scanners without a network. Make it again shortly before the entrance opens.
          </p>
          <JobButton act="ticket void-list" event={event} args={{ event }}>
            Make the void list
          </JobButton>
        </Card>
      )}
    </div>
  );
}

function LargeFile({ act, name, event }) {
  const args = argumentsOf(act, event);
  return (
    <Card title={name}>
      <JobButton act={act} event={args.event ?? ''} args={args}>
        Make the file
      </JobButton>
    </Card>
  );
}

const NOTHING = { busy: '', problem: null };

function Spreadsheets({ event }) {
  const [state, setState] = useState(NOTHING);
  const possible = EXPORTS.filter(({ act }) => may(act));
  async function make(one) {
    setState({ ...NOTHING, busy: one.act });
    try {
      const rows = await rowsOf(one, event);
      saveCsv(`${event}-${one.act.replace(' ', '-')}`, one.columns, rows);
      tell(`${count(rows.length)} rows are in the file.`);
      setState(NOTHING);
    } catch (problem) {
      setState({ ...NOTHING, problem });
    }
  }
  return (
    <Card title="Files for spreadsheets">
      <Refusal problem={state.problem} />
      <div class="acts">
        {possible.map((one) => (
          <Button key={one.act} busy={state.busy === one.act} disabled={Boolean(state.busy)} onClick={() => make(one)}>
            {one.name}
          </Button>
        ))}
      </div>
    </Card>
  );
}

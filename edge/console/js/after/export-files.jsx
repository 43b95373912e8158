// Files: for spreadsheets, made in the browser of what the service answers; and for scanners at the entrance.

import { useState } from 'preact/hooks';
import { may } from '../acts.js';
import { saveCsv } from '../csv.js';
import { count } from '../format.js';
import { JobButton } from '../jobs/button.jsx';
import { Button, Card, Refusal, tell } from '../kit.jsx';
import { EXPORTS, rowsOf } from './exports.js';

export function ExportFiles({ event }) {
  return (
    <div class="board">
      <Spreadsheets event={event} />
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

const NOTHING = { busy: '', read: 0, problem: null };

function Spreadsheets({ event }) {
  const [state, setState] = useState(NOTHING);
  const possible = EXPORTS.filter(({ act }) => may(act));
  async function make(one) {
    setState({ ...NOTHING, busy: one.act });
    try {
      const rows = await rowsOf(one, event, (read) => setState({ ...NOTHING, busy: one.act, read }));
      saveCsv(`${event}-${one.act.replace(' ', '-')}`, one.columns, rows);
      tell(`${count(rows.length)} rows are in the file.`);
      setState(NOTHING);
    } catch (problem) {
      setState({ ...NOTHING, problem });
    }
  }
  return (
    <Card title="Files for spreadsheets">
      <p class="dim">Each is made here, of what the service answers now, a part at a time. Stay on this screen.</p>
      <Refusal problem={state.problem} />
      <div class="acts">
        {possible.map((one) => (
          <Button key={one.act} busy={state.busy === one.act} disabled={Boolean(state.busy)} onClick={() => make(one)}>
            {state.busy === one.act ? `${count(state.read)} rows …` : one.name}
          </Button>
        ))}
      </div>
    </Card>
  );
}

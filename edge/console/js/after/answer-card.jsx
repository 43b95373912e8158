// One question to the logs: its curves, its table, and its file for spreadsheets.

import { Chart } from '../chart.jsx';
import { saveCsv } from '../csv.js';
import { count, rate, span, titled } from '../format.js';
import { Button, Card, Notice } from '../kit.jsx';
import { byMinute } from './answers.js';

const MARKED_MAX = 30;
const SHOWN_MAX = 60; // rows of a table; the file has all

// What is drawn of an answer: [column, name, tone]; `none`: what a minute without a line is.
const DRAWN = {
  arrivals_by_minute: {
    columns: [
      ['joined', 'joined'],
      ['came_in', 'came in', 'good']
    ]
  },
  waits_by_arrival: {
    columns: [
      ['p95_s', 'one in twenty waited longer', 'warn'],
      ['median_s', 'half waited longer']
    ],
    none: null,
    write: span
  },
  seats_by_minute: {
    columns: [
      ['held', 'held', 'good'],
      ['taken', 'already taken', 'warn']
    ]
  },
  requests_by_minute: {
    columns: [
      ['requests', 'all'],
      ['refused', 'refused', 'warn'],
      ['failed', 'failed', 'bad']
    ]
  }
};

const UNITS = { ms: 'ms', s: 's', percent: '%' };

/** "p95_ms" → "P95, ms". */
function headOf(column) {
  const [, name, unit] = /^(.*)_(ms|s|percent)$/.exec(column) ?? [];
  return name ? `${titled(name)}, ${UNITS[unit]}` : titled(column);
}

export function AnswerCard({ event, name, answer }) {
  const { title, meaning, columns, rows, logged } = answer;
  const save = () =>
    saveCsv(
      `${event}-${name.replaceAll('_', '-')}`,
      columns.map((column, n) => [column, (row) => row[n]]),
      rows
    );
  return (
    <Card title={title} wide={!DRAWN[name]} aside={answer.step_min > 1 ? everyOf(answer) : undefined}>
      <p class="dim">{meaning}</p>
      {!logged && (
        <Notice tone="info">There is no log of this: logs are switched off here, or nothing was written yet.</Notice>
      )}
      {logged && rows.length === 0 && <Notice tone="info">Nothing of this kind was logged.</Notice>}
      {rows.length > 0 && (
        <>
          {DRAWN[name] && <Curves answer={answer} drawn={DRAWN[name]} />}
          <details class="table-of" open={!DRAWN[name]}>
            <summary>{DRAWN[name] ? 'As a table (UTC)' : 'Table'}</summary>
            <AnswerTable columns={columns} rows={rows} />
          </details>
          <div class="row buttons">
            <Button quiet onClick={save} aria-label={`${title}: save as CSV`}>
              Save as CSV
            </Button>
          </div>
        </>
      )}
      {answer.more > 0 && <p class="dim">{count(answer.more)} more rows are in the report’s file.</p>}
    </Card>
  );
}

const everyOf = ({ step_min: step }) => (step > 1 ? `By ${step} minutes` : 'By minute');

function Curves({ answer, drawn: { columns, none = 0, write = count } }) {
  const { times, series } = byMinute(
    answer,
    columns.map(([column]) => column),
    none
  );
  const says = columns.map(([, words], n) => {
    const values = series[n].filter((one) => one !== null);
    return `${words}: at most ${values.length > 0 ? write(Math.max(...values)) : '–'}`;
  });
  return (
    <Chart
      times={times}
      write={write}
      marks={times.length <= MARKED_MAX}
      says={`${everyOf(answer)}. ${says.join('; ')}.`}
      series={columns.map(([, words, tone], n) => ({ name: words, values: series[n], tone, fill: n === 0 && !tone }))}
    />
  );
}

const shownOf = (cell) => (typeof cell === 'number' ? rate(cell) : (cell ?? '–'));

function AnswerTable({ columns, rows }) {
  const numbers = columns.map((_, n) => rows.some((row) => typeof row[n] === 'number'));
  return (
    <div class="wide-table" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {columns.map((column, n) => (
              <th key={column} scope="col" class={numbers[n] ? 'amount' : undefined}>
                {headOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN_MAX).map((row) => (
            <tr key={row.join('|')}>
              {row.map((cell, n) => (
                <td key={columns[n]} class={numbers[n] ? 'amount' : undefined}>
                  {shownOf(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > SHOWN_MAX && <p class="dim">{count(rows.length - SHOWN_MAX)} more rows are in the file.</p>}
    </div>
  );
}

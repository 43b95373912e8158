// Lists of what was found, as a table with its file for spreadsheets.

import { saveCsv } from '../csv.js';
import { count } from '../format.js';
import { Button } from '../kit.jsx';

const SHOWN_MAX = 100;

/** `columns`: [[name, of]]; `name`: of the file. Without rows it is nothing. */
export function DifferenceTable({ name, columns, rows = [] }) {
  if (rows.length === 0) return null;
  return (
    <>
      <div class="wide-table" tabIndex={0} role="region" aria-label={name}>
        <table>
          <thead>
            <tr>
              {columns.map(([head]) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, SHOWN_MAX).map((row, n) => (
              <tr key={n}>
                {columns.map(([head, of]) => (
                  <td key={head}>{of(row)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > SHOWN_MAX && <p class="dim">{count(rows.length - SHOWN_MAX)} more are in the file.</p>}
      <div class="row buttons">
        <Button quiet onClick={() => saveCsv(name, columns, rows)}>
          Save as CSV
        </Button>
      </div>
    </>
  );
}

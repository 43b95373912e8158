// How much of each section is gone, as heat on the map and as a list.

import { sectionsOf } from '../acts.js';
import { at, count, share } from '../format.js';
import { Card, Loading, Refusal } from '../kit.jsx';
import { useLook } from '../use-look.js';
import { sharesOf, STEPS, stepOf } from './heat.js';
import { VenueMap } from './map.jsx';
import { readVenue } from './venue.js';

const EVERY_MS = 10000; // the service keeps an answer for so long

export function HeatCard({ event, layout }) {
  const venue = useLook(() => readVenue(layout), [layout]);
  const counts = useLook(() => sectionsOf(event), [event], EVERY_MS);
  const problem = venue.problem ?? (counts.data ? null : counts.problem);
  if (problem) {
    return (
      <Card title="Sold by section" wide>
        <Refusal problem={problem} />
      </Card>
    );
  }
  if (!venue.data || !counts.data) return <Loading />;
  return <Heat venue={venue.data} counts={counts.data} />;
}

function Heat({ venue, counts }) {
  const shares = sharesOf(counts).sort((a, b) => (b.share ?? -1) - (a.share ?? -1));
  const byId = new Map(shares.map((one) => [one.id, one]));
  const names = new Map([...venue.sections, ...(venue.areas ?? [])].map((one) => [one.id, one.name || one.id]));
  const note = (one) => (one ? share(one.gone, one.of) : '–');
  return (
    <Card title="Sold by section" aside={`sold and in baskets, of what is for sale · ${at(counts.now)}`}>
      <div class="beside">
        <div>
          <VenueMap
            venue={venue}
            kind="heat"
            stepOf={({ id }) => stepOf(byId.get(id)?.share)}
            noteOf={({ id }) => note(byId.get(id))}
          />
          <ol class="scale" aria-label="Scale">
            {STEPS.map((words, n) => (
              <li key={words}>
                <i class={`heat-${n + 1}`} />
                {words}
              </li>
            ))}
          </ol>
        </div>
        <div class="scrolled" tabIndex={0} role="region" aria-label="Sections as a list">
          <table>
            <thead>
              <tr>
                <th scope="col">Section</th>
                <th scope="col">Gone</th>
                <th scope="col">Of</th>
                <th scope="col">Share</th>
              </tr>
            </thead>
            <tbody>
              {shares.map((one) => (
                <tr key={one.id}>
                  <th scope="row">{names.get(one.id) ?? one.id}</th>
                  <td>{count(one.gone)}</td>
                  <td>{count(one.of)}</td>
                  <td>
                    {one.share !== null && <i class={`heat-${stepOf(one.share) + 1}`} />} {note(one)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </Card>
  );
}

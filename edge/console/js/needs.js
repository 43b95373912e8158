// What is not as it should be, each with its next step: by the figures, and by the deployment's alarms.

import { at, count, on, share, span } from './format.js';

const OLD_S = 30; // figures are made each ten seconds
export const FAILING_SHARE = 0.05;
const TRIES_LEAST = 20;
const STILL = ['paused', 'sold out', 'closed']; // nothing goes on at the pace of the last minutes

export const PARTS = {
  gate: 'The gate',
  room: 'The waiting room',
  sale: 'The money',
  seats: 'The seats',
  edges: 'The edges',
  desk: 'The risk desk',
  keys: 'The keys'
};

const OF = { service: 'The alarms of the service', edge: 'The alarms of the edge' };

const appealing = (n) => (n === 1 ? 'A buyer who is locked out asks' : `${count(n)} buyers who are locked out ask`);

/**
 * Returns [tone, what, next step, meaning] of each thing that the figures show. `old`: their age in seconds; `appeals`:
 * how many buyers ask to be let in again.
 */
export function needsOfFigures(figures, old, appeals = 0) {
  const needs = [];
  const { gate, room, sale, edges } = figures;
  if (old > OLD_S)
    needs.push(['bad', `These figures are ${span(old)} old.`, 'Is the controller called? See the alarms.']);
  for (const [part, name] of Object.entries(PARTS)) {
    if (figures[part].error)
      needs.push(['warn', `${name}: ${figures[part].error}`, `last read ${at(figures[part].at)}`]);
  }
  if (edges.heard === false)
    needs.push(['warn', 'Not every edge has the last change yet.', `changed at ${at(edges.changed_at)}`]);
  if (room.refused_full > 0) {
    needs.push([
      'warn',
      `${count(room.refused_full)} admitted buyers wait for capacity.`,
      'Raise the target, or slow the pace.'
    ]);
  }
  const tried = sale.paid + sale.declined;
  if (tried > TRIES_LEAST && sale.declined / tried > FAILING_SHARE) {
    needs.push(['warn', `${share(sale.declined, tried)} of all payments are declined.`, 'Ask the payment provider.']);
  }
  if (appeals > 0) needs.push(['warn', `${appealing(appeals)} that a person looks.`, 'Answer under “People”.']);
  if (sale.refunds_due > 0)
    needs.push(['info', `${count(sale.refunds_due)} refunds are not on their way yet.`, 'They go by themselves.']);
  if (gate.phase === 'paused')
    needs.push(['info', 'The sale is paused. Everybody keeps their place.', 'Resume it under “Steer”.']);
  if (sale.sold_out_at && !STILL.includes(gate.phase))
    needs.push(['info', `At this pace all is sold at ${at(sale.sold_out_at)}.`, '']);
  return needs;
}

/**
 * Returns the same of the alarms. `alarms`: what the service answered last; null before. What cannot be read is said,
 * and never taken for quiet.
 */
export function needsOfAlarms(alarms, problem) {
  if (!alarms) {
    if (!problem) return [];
    return [['warn', `The alarms are not known: ${problem.message}`, 'Look into CloudWatch.']];
  }
  const needs = [];
  if (problem) needs.push(['warn', `The alarms are those of ${at(alarms.at)}: ${problem.message}`, '']);
  for (const { of, state, why, up } of alarms.sources) {
    if (state === 'unknown') needs.push(['warn', `${OF[of]} are not known: ${why}`, 'Look into CloudWatch.']);
    for (const one of up) needs.push(['bad', `Alarm ${one.name}, since ${on(one.since)}`, one.do, one.means]);
  }
  return needs;
}

/** Says in a sentence or two what is watched by alarms; an empty text before that is known. */
export function watchedBy(alarms) {
  if (!alarms) return '';
  const said = alarms.sources.map(({ of, state, why, watching, without_data: blind }) => {
    if (state === 'none') return why;
    if (state !== 'read') return '';
    const unseen = blind ? `; ${count(blind)} have no data yet` : '';
    return `${count(watching)} ${watching === 1 ? 'alarm watches' : 'alarms watch'} the ${of}${unseen}.`;
  });
  return said.filter(Boolean).join(' ');
}

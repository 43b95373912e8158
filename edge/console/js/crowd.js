// What is said of the simulated crowd of a rehearsal.

import { count } from './format.js';

/** Says how far a crowd is: "120 of 300 simulated buyers have arrived, 14 have tickets." */
export function crowdOf({ state, buyers, arrived, tickets, gone }) {
  if (state === 'asked') return `${count(buyers)} simulated buyers are asked for, and none has arrived yet.`;
  const come = `${count(arrived)} of ${count(buyers)} simulated buyers have arrived`;
  const went = gone ? `, ${count(gone)} left without` : '';
  return `${come}, ${count(tickets)} have tickets${went}.${state === 'ended' ? ' All have gone.' : ''}`;
}

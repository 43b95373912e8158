// The sales of an event, added up.

const ADDED = ['tickets', 'amount_minor', 'net_minor', 'vat_minor'];

/** Returns [{name, tickets, amount_minor, net_minor, vat_minor}] by a field, in the order in which they come. */
export function summed(rows, field) {
  const sums = new Map();
  for (const row of rows) {
    const sum = sums.get(row[field]) ?? { name: row[field], ...Object.fromEntries(ADDED.map((one) => [one, 0])) };
    for (const one of ADDED) sum[one] += row[one];
    sums.set(row[field], sum);
  }
  return [...sums.values()];
}

// Amounts as they are typed, and what buyers read of them. Amounts are counted in the currency's smallest unit.

const AMOUNT = /^\d{1,12}(?:\.(\d{1,4}))?$/;

export function digitsOf(currency) {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
  } catch {
    return 2; // the act says that there is no such currency
  }
}

/** "45.5" → 4550; null for what is no amount of the currency. */
export function minorOf(text, digits) {
  const typed = String(text ?? '').trim();
  const found = AMOUNT.exec(typed);
  if (!found || (found[1] ?? '').replace(/0+$/, '').length > digits) return null;
  const [whole, part = ''] = typed.split('.');
  return Number(whole + part.slice(0, digits).padEnd(digits, '0'));
}

/** 4550 → "45.50". */
export function amountOf(minor, digits) {
  const text = String(minor).padStart(digits + 1, '0');
  return digits ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text;
}

/** 700 basis points → "7%". */
export const rateOf = (bp) => `${bp / 100}%`;

/** "7%" → 700 basis points; null for what is no rate. */
export function bpOf(text) {
  const found = /^(\d{1,2}(?:\.\d{1,2})?|100) ?%?$/.exec(String(text ?? '').trim());
  return found ? Math.round(Number(found[1]) * 100) : null;
}

/** Returns the VAT in amounts, [minor, rate in basis points], rounded once a rate, as orders have it. */
export function vatIn(amounts) {
  const sums = new Map();
  for (const [minor, bp] of amounts) sums.set(bp, (sums.get(bp) ?? 0) + minor);
  let vat = 0;
  for (const [bp, minor] of sums) vat += Math.floor((2 * minor * bp + 10000 + bp) / (2 * (10000 + bp)));
  return vat;
}

/**
 * Returns what each tier costs: {tier, name, places, price, whole, vat}, amounts null where none is known. `whole` has
 * the fee of a ticket in it, as buyers first read it, and `vat` is the VAT in that.
 */
export function wholePrices(tiers, values, digits) {
  const fee = minorOf(values.fee_ticket || '0', digits);
  const all = values.price_all;
  const rateOfFees = bpOf(values.vat_fees || values.vat_all || '0');
  return tiers.map(({ id, name, seats, area_places: standing }) => {
    const price = minorOf(values.price?.[id] || all, digits);
    const whole = price === null || fee === null ? null : price + fee;
    const rate = bpOf(values.vat?.[id] || values.vat_all || '0');
    const known = whole !== null && rate !== null && rateOfFees !== null;
    const vat = known
      ? vatIn([
          [price, rate],
          [fee, rateOfFees]
        ])
      : null;
    return { tier: id, name, places: seats === undefined ? null : seats + standing, price, whole, vat };
  });
}

/** Returns rows in their order, each with its `rank` on the map: 0 is the dearest, those without a price come last. */
export function rankedRows(rows) {
  const sorted = [...rows].sort((a, b) => b.whole - a.whole);
  return rows.map((row) => ({ ...row, rank: sorted.indexOf(row) }));
}

/** Returns the tiers as the buyers' map has them. */
export const buyersEvent = (rows, currency = 'EUR') => ({
  tiers: rows.map(({ tier, name, whole }) => ({ id: tier, name, whole_minor: whole })),
  currency
});

/** Returns what the organiser takes if all is sold, without fees; null while a price or a count is missing. */
export function ifAllIsSold(rows) {
  if (rows.length === 0 || rows.some(({ price, places }) => price === null || places === null)) return null;
  return rows.reduce((sum, { price, places }) => sum + price * places, 0);
}

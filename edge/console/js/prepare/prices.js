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

/**
 * Returns what each tier costs: {tier, name, color, places, price, whole}, amounts null where none is known. `whole`
 * has the fee of a ticket in it, as buyers first read it.
 */
export function wholePrices(tiers, values, digits) {
  const fee = minorOf(values.fee_ticket || '0', digits);
  const all = values.price_all;
  return tiers.map(({ id, name, color, seats, area_places: standing }) => {
    const price = minorOf(values.price?.[id] || all, digits);
    const whole = price === null || fee === null ? null : price + fee;
    return { tier: id, name, color, places: seats === undefined ? null : seats + standing, price, whole };
  });
}

/** Returns what the organiser takes if all is sold, without fees; null while a price or a count is missing. */
export function ifAllIsSold(rows) {
  if (rows.length === 0 || rows.some(({ price, places }) => price === null || places === null)) return null;
  return rows.reduce((sum, { price, places }) => sum + price * places, 0);
}

// Files that the browser makes of what acts answer.

const FORMULA = /^[=+\-@\t\r]/; // a spreadsheet would run it
const NUMBER = /^-?\d+(\.\d+)?$/;
const LEAVES_AFTER_MS = 60_000;

function cell(value) {
  if (value === null || value === undefined) return '';
  const text = Array.isArray(value)
    ? value.join('; ')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
  const plain = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** An amount in minor units as a spreadsheet reads it: 123456 EUR is "1234.56". */
export function plainAmount(minor, currency) {
  if (minor === null || minor === undefined) return '';
  const style = { style: 'currency', currency };
  const digits = new Intl.NumberFormat('en', style).resolvedOptions().maximumFractionDigits;
  return (minor / 10 ** digits).toFixed(digits);
}

/** `columns`: [[name, of]], where `of(row)` is the value. Returns the text of the file. */
export function csvOf(columns, rows) {
  const lines = [columns.map(([name]) => cell(name)), ...rows.map((row) => columns.map(([, of]) => cell(of(row))))];
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`;
}

function save(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), LEAVES_AFTER_MS);
}

/** Saves rows as a CSV file, with the mark by which spreadsheets know UTF-8. */
export const saveCsv = (name, columns, rows) => save(`${name}.csv`, `\ufeff${csvOf(columns, rows)}`, 'text/csv');

export const saveJson = (name, data) => save(`${name}.json`, `${JSON.stringify(data, null, 2)}\n`, 'application/json');

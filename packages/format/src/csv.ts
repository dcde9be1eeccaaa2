/**
 * Converts rows to CSV (RFC 4180) with CRLF line endings. A byte order mark makes spreadsheets read names in any script.
 * Prefixes a field that a spreadsheet would run as a formula with an apostrophe, even if the formula starts with spaces or
 * a full-width character. A negative number stays one, so that sums include it.
 */
export const toCsv = (rows: string[][]): string =>
  `\uFEFF${rows.map((row) => `${row.map(toField).join(',')}\r\n`).join('')}`;

function toField(text: string): string {
  const harmless = isFormula.test(text) && !isNegative.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

const isFormula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;
const isNegative = /^-\d+(?:\.\d+)?$/;

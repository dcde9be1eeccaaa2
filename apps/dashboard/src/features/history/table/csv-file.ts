/**
 * A table as CSV (RFC 4180): fields in quotes where they need it, lines that end in CR LF, and a byte order mark so
 * that a spreadsheet reads names in any script. A field that a spreadsheet would take for a formula gets an
 * apostrophe before it, and is then text.
 */
export const csvFile = (rows: string[][]): string =>
  `\uFEFF${rows.map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('')}`;

function fieldOf(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

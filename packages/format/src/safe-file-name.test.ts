import { expect, test } from 'vitest';
import { safeFileName } from './safe-file-name.ts';

test.each([
  ['Contract (final).pdf', 'Contract (final).pdf'],
  ['../a\\b/c.pdf', '.._a_b_c.pdf'],
  ['a\r\nb\0.pdf', 'a__b_.pdf'],
  ['invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['\u2066a\u2069\u200f\u061c.pdf', 'a.pdf'],
  ['عقد البيع.pdf', 'عقد البيع.pdf'],
])('turns the file name %j into %j for a download', (fileName, safe) => {
  expect(safeFileName(fileName)).toBe(safe);
});

import { expect, test } from 'vitest';
import { splitFirmName } from './firm-name.ts';

test.each([
  ['Alder & Finch Conveyancing', 'Alder & Finch', 'Conveyancing'],
  ['Marsh Property Lawyers', 'Marsh', 'Property Lawyers'],
  ['Oak Solicitors LLP', 'Oak', 'Solicitors LLP'],
  ['Keyturn', 'Keyturn', null],
  ['Conveyancing', 'Conveyancing', null],
  ['Lawson Brothers', 'Lawson Brothers', null],
])('splits the firm name "%s" into "%s" and %j', (name, first, kind) => {
  expect(splitFirmName(name)).toEqual({ first, kind });
});

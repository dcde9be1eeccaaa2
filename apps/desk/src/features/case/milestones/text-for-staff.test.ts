import { expect, test } from 'vitest';
import { textForStaff } from './text-for-staff.ts';

test.each([
  ['You, then Wessex Water', 'Amelia, then Wessex Water'],
  [
    'Signatures from you and Tom, and your signed papers',
    'Signatures from Amelia and Tom, and the clients’ signed papers',
  ],
  ['Your bank', 'The clients’ bank'],
  ['Us', 'Us'],
  ['The younger brother', 'The younger brother'],
])('names the party %s for staff', (waitingFor, words) => {
  expect(textForStaff(waitingFor, 'Amelia')).toBe(words);
});

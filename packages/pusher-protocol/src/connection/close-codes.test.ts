import { expect, test } from 'vitest';
import { clientReactionTo, closeCodes } from './close-codes.ts';

test('no close code of the real-time channel makes clients reconnect immediately', () => {
  for (const code of Object.values(closeCodes)) {
    expect(clientReactionTo(code)).not.toBe('reconnects immediately');
  }
});

test.each([
  [1000, 'reconnects after 1 s'],
  [1001, 'reconnects after 1 s'],
  [1006, 'reconnects after 1 s'],
  [4000, 'reconnects over TLS'],
  [4001, 'does not reconnect'],
  [4009, 'does not reconnect'],
  [4100, 'reconnects after 1 s'],
  [4200, 'reconnects immediately'],
  [4299, 'reconnects immediately'],
  [4300, 'does not reconnect'],
] as const)('pusher-js closed with %i %s', (code, reaction) => {
  expect(clientReactionTo(code)).toBe(reaction);
});

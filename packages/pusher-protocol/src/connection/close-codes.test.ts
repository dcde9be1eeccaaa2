import { expect, test } from 'vitest';
import { clientReactionTo, closeCodes } from './close-codes.ts';

test('no code that we use brings clients back without a delay', () => {
  for (const code of Object.values(closeCodes)) {
    expect(clientReactionTo(code)).not.toBe('comes back at once');
  }
});

test.each([
  [1000, 'comes back in 1 s'],
  [1001, 'comes back in 1 s'],
  [1006, 'comes back in 1 s'],
  [4000, 'comes back over TLS'],
  [4001, 'stays away'],
  [4009, 'stays away'],
  [4100, 'comes back in 1 s'],
  [4200, 'comes back at once'],
  [4299, 'comes back at once'],
  [4300, 'stays away'],
] as const)('after %i pusher-js %s', (code, reaction) => {
  expect(clientReactionTo(code)).toBe(reaction);
});

import { expect, test } from 'vitest';
import { clientFixture } from '../../../../fixtures/entities.ts';
import { payerOf } from './payer.ts';

const amelia = clientFixture();

test.each([
  [{ own_card: true, name: 'Amelia Okafor' }, { kind: 'me' }],
  [
    { own_card: true, name: 'Tom Okafor' },
    { kind: 'other', firstName: 'Tom' },
  ],
  [{ own_card: false, name: 'Grace Okafor' }, { kind: 'unknown' }],
  [{ own_card: null, name: null }, { kind: 'unknown' }],
])('a payment by %j shows Amelia %j as the payer', (payer, who) => {
  expect(payerOf({ payer }, amelia)).toEqual(who);
});

import type { MatterType } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { bindingMomentOf } from './binding-moment.ts';

const contract = { bindsOn: null, group: 'contract', signing: 'simple' } as const;
const matter = (matterType: MatterType, exchangedOn: string | null = null) => ({ matterType, exchangedOn });

test('lets the firm say when a document commits its signers', () => {
  expect(bindingMomentOf({ ...contract, bindsOn: 'signature' }, matter('sale'))).toBe('signature');
  expect(bindingMomentOf({ ...contract, signing: 'deed', bindsOn: 'completion' }, matter('sale'))).toBe(
    'completion',
  );
});

test('assumes exchange only for a contract of a sale or purchase', () => {
  expect(bindingMomentOf(contract, matter('sale'))).toBe('exchange');
  expect(bindingMomentOf(contract, matter('purchase'))).toBe('exchange');
  expect(bindingMomentOf(contract, matter('remortgage'))).toBeNull();
  expect(bindingMomentOf({ ...contract, signing: 'deed' }, matter('sale'))).toBeNull();
  expect(bindingMomentOf({ ...contract, group: 'to-sign' }, matter('sale'))).toBeNull();
});

test('promises no commitment on exchange once contracts are exchanged', () => {
  const exchanged = matter('sale', '2026-11-20');
  expect(bindingMomentOf(contract, exchanged)).toBeNull();
  expect(bindingMomentOf({ ...contract, bindsOn: 'exchange' }, exchanged)).toBeNull();
  expect(bindingMomentOf({ ...contract, bindsOn: 'signature' }, exchanged)).toBe('signature');
});

import { expect, test } from 'vitest';
import { limitTo } from './limit-to.ts';

test('limitTo keeps only the fields of the contract', () => {
  const limit = limitTo<{ name: string; email: string | null }>({ properties: { name: {}, email: {} } });
  const value = { email: null, feed_hash: 'abc', name: 'Grace' };
  expect(limit(value)).toEqual({ name: 'Grace', email: null });
});

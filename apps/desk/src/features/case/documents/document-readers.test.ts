import { expect, test } from 'vitest';
import { readersOf } from './document-readers.ts';

test('a withdrawn document shows the clients who had seen it, with the exact time, and not only those who opened its page', () => {
  const amelia = { id: 'a', name: 'Amelia Okafor' };
  const tom = { id: 't', name: 'Tom Okafor' };
  const shared = {
    reads: [{ client: amelia, read_at: '2026-11-23T14:05:10.000Z' }],
    seen_by: [
      { client: amelia, seen_at: '2026-11-23T14:05:10.000Z' },
      { client: tom, seen_at: '2026-11-23T14:06:00.000Z' },
    ],
    withdrawn_at: null,
  };
  expect(readersOf(shared, '2026-11-24').readers).toEqual([{ ...amelia, at: 'yesterday at 2:05 pm' }]);
  const withdrawn = { ...shared, withdrawn_at: '2026-11-23T15:00:00.000Z' };
  expect(readersOf(withdrawn, '2026-11-24')).toMatchObject({
    heading: 'Seen before it was withdrawn:',
    readers: [
      { ...amelia, at: '23 Nov 2026, 2:05 pm' },
      { ...tom, at: '23 Nov 2026, 2:06 pm' },
    ],
  });
});

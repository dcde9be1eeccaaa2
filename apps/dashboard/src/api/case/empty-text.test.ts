import { caseStatuses } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { emptyText } from './empty-text.ts';

test('only an active case promises what will come', () => {
  const promising = caseStatuses.filter((status) =>
    emptyText(status, 'It appears here soon.').includes('soon'),
  );
  expect(promising).toEqual(['active']);
});

import { expect, test } from 'vitest';
import { describeFiles } from './files-text.ts';

test('describes how many files of an erased client were removed, and how many were kept for other records', () => {
  expect(describeFiles({ waiting: 0, removed: 0, kept: 0 })).toBe('There were no files to remove.');
  expect(describeFiles({ waiting: 0, removed: 1, kept: 0 })).toBe(
    '1 file has been removed from the document store.',
  );
  expect(describeFiles({ waiting: 0, removed: 3, kept: 1 })).toBe(
    '3 files have been removed from the document store. 1 file was kept, because another record has the same content.',
  );
  expect(describeFiles({ waiting: 0, removed: 0, kept: 2 })).toBe(
    '2 files were kept, because other records have the same content.',
  );
});

test('describes how many files of an erased client still have to be removed, out of all of them', () => {
  expect(describeFiles({ waiting: 1, removed: 0, kept: 0 })).toMatch(/^1 file still has to be removed from /);
  expect(describeFiles({ waiting: 2, removed: 2, kept: 1 })).toMatch(
    /^2 of 5 files still have to be removed from .* done\. 1 file was kept, /,
  );
  expect(describeFiles({ waiting: 1, removed: 4, kept: 0 })).toMatch(/^1 of 5 files still has to be /);
});

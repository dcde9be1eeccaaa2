import { expect, test } from 'vitest';
import { formatFileSize } from './file-size.ts';

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1 KB'],
  [10_125, '10 KB'],
  [999_499, '999 KB'],
  [999_500, '1 MB'],
  [1_240_000, '1.2 MB'],
  [25_000_000, '25 MB'],
  [999_950_000, '1 GB'],
  [12_340_000_000, '12.3 GB'],
])('formats %i bytes as %s', (bytes, text) => {
  expect(formatFileSize(bytes)).toBe(text);
});

import { expect, test } from 'vitest';
import { fileFault, titleFromFile } from './file-rules.ts';

test('a file that the server would refuse is refused before it is uploaded', () => {
  expect(fileFault({ type: 'application/pdf', size: 10_000 })).toBeNull();
  expect(fileFault({ type: 'application/pdf', size: 0 })).toContain('empty');
  expect(fileFault({ type: 'application/pdf', size: 25 * 1024 * 1024 + 1 })).toContain('larger than 25 MB');
  expect(fileFault({ type: 'text/html', size: 10 })).toContain('Only PDF');
});

test('the title of a document comes from the name of its file', () => {
  expect(titleFromFile('draft-contract_v2.pdf')).toBe('Draft contract v2');
  expect(titleFromFile('.pdf')).toBe('Document');
  expect(titleFromFile('TR1')).toBe('TR1');
});

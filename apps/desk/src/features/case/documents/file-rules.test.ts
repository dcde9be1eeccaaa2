import { expect, test } from 'vitest';
import { fileFault, separateFiles, titleFromFile } from './file-rules.ts';

test('a file that the server would reject is rejected before it is uploaded', () => {
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

test('names every dropped file that is not added, including those for which there is no room', () => {
  const pdf = (name: string) => ({ name, type: 'application/pdf', size: 10 });
  const dropped = [
    pdf('one.pdf'),
    { ...pdf('page.html'), type: 'text/html' },
    pdf('two.pdf'),
    pdf('three.pdf'),
  ];
  expect(separateFiles(dropped, 2)).toEqual({
    accepted: [pdf('one.pdf'), pdf('two.pdf')],
    faults: [
      expect.stringMatching(/^page\.html: Only PDF/),
      expect.stringMatching(/^three\.pdf: .* 20 files/),
    ],
  });
});

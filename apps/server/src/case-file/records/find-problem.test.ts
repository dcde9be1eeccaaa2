import { expect, test } from 'vitest';
import { allReasons, findProblem } from './find-problem.ts';

test('reports no card number in the name of an unknown field whose text cannot be stored', () => {
  const schema = { type: 'object', properties: {}, additionalProperties: false };
  const problem = findProblem(schema, { '4539148803436467': 'a\0b' }, '/clients/0');
  expect(problem).toMatchObject({
    place: '/clients/0/[card number]',
    others: [{ place: '/clients/0/[card number]' }],
  });
  expect(problem && allReasons(problem, '/clients/0')).not.toContain('4539');
});

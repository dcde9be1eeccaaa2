import { describe, expect, test } from 'vitest';
import { describeStartFailure, StartFault } from './start-fault.ts';

const failure = (details: object, cause?: Error) => Object.assign(new Error('low-level', { cause }), details);

describe('a start that fails', () => {
  test.each([
    [new StartFault('Do this.'), 'Do this.'],
    [
      failure({ code: 'EADDRINUSE', port: 4720 }),
      'Port 4720 is in use by another program: set PORT to a free one, for example PORT=4721.',
    ],
    [failure({ code: 'ENOSPC' }), 'The disk is full: free some space and start again.'],
    [
      new Error('Failed query', { cause: failure({ code: '53100' }) }),
      'The disk is full: free some space and start again.',
    ],
    [
      failure({ code: 'EACCES', path: '/data' }),
      '/data cannot be written: give this user the right to, or set KEYTURN_DATA_DIR.',
    ],
    [
      failure({ code: 'EACCES', port: 80 }),
      'Port 80 is not allowed to this user: set PORT to one above 1023.',
    ],
    [
      failure({ code: 'ENOTDIR', path: '/dev/null' }),
      '/dev/null is not a folder: set KEYTURN_DATA_DIR to one.',
    ],
  ])('for a reason that a person can mend is one line: %s', (error, line) => {
    expect(describeStartFailure(error)).toBe(line);
  });

  test('for a fault of ours tells the whole story', () => {
    expect(describeStartFailure(new Error('what?'))).toContain('start-fault.test.ts');
  });
});

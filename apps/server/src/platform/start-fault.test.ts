import { describe, expect, test } from 'vitest';
import { describeStartFailure, StartFault } from './start-fault.ts';

const failure = (details: object, cause?: Error) => Object.assign(new Error('low-level', { cause }), details);

describe('describeStartFailure', () => {
  test.each([
    [new StartFault('Do this.'), 'Do this.'],
    [
      failure({ code: 'EADDRINUSE', port: 4720 }),
      'Port 4720 is in use by another program: set PORT to a free port, for example PORT=4721.',
    ],
    [failure({ code: 'ENOSPC' }), 'The disk is full: free some space and start again.'],
    [
      new Error('Failed query', { cause: failure({ code: '53100' }) }),
      'The disk is full: free some space and start again.',
    ],
    [
      failure({ code: 'EACCES', path: '/data' }),
      '/data is not writable: grant this user write access, or set KEYTURN_DATA_DIR.',
    ],
    [failure({ code: 'EACCES', port: 80 }), 'This user may not use port 80: set PORT to a port above 1023.'],
    [
      failure({ code: 'ENOTDIR', path: '/dev/null' }),
      '/dev/null is not a folder: set KEYTURN_DATA_DIR to a folder.',
    ],
  ])('describes a failure that the operator can fix in one line: %s', (error, line) => {
    expect(describeStartFailure(error)).toBe(line);
  });

  test('the description of a start failure includes the stack of an unexpected error', () => {
    expect(describeStartFailure(new Error('what?'))).toContain('start-fault.test.ts');
  });
});

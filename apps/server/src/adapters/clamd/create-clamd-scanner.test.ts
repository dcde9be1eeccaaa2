import { type ClamdSimulator, eicar, startClamdSimulator } from '@keyturn/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ScannerUnavailable } from '../../platform/files/find-malware.ts';
import { createClamdScanner } from './create-clamd-scanner.ts';

let clamd: ClamdSimulator;
const alerts: Record<string, unknown>[] = [];
beforeAll(async () => {
  clamd = await startClamdSimulator({ streamMaxLength: 1_000_000 });
});
afterEach(() => {
  clamd.behaviour = 'scan';
  expect(clamd.violations).toEqual([]);
});
afterAll(() => clamd.close());

const scan = (content: Buffer, change: { port?: number; timeout?: number } = {}) => {
  const { port = clamd.port, ...timeout } = change;
  alerts.length = 0;
  return createClamdScanner({
    address: { host: '127.0.0.1', port },
    clock: () => new Date(),
    alertOperator: (message, details) => alerts.push({ message, ...details }),
    ...timeout,
  })(content);
};

describe('the scanner of clamd', () => {
  test.each([1, 256 * 1024, 700_001])('sends all %i bytes of a harmless file to clamd', async (bytes) => {
    expect(await scan(Buffer.alloc(bytes, 7))).toBeNull();
    expect(clamd.scanned.at(-1)).toBe(bytes);
  });

  test('returns the name of malware that clamd finds across the chunks of a file', async () => {
    const content = Buffer.concat([Buffer.alloc(256 * 1024 - 20), eicar]);
    expect(await scan(content)).toBe('Eicar-Test-Signature');
    expect(alerts).toEqual([]);
  });

  test.each([
    ['is larger than clamd accepts', Buffer.alloc(5_000_000), {}, /StreamMaxLength/],
    ['gets no reply in time', Buffer.alloc(9), { timeout: 50 }, /no reply within 0.05 s/],
    ['is sent to a port without clamd', Buffer.alloc(9), { port: 1 }, /ECONNREFUSED/],
    ['has its connection closed', Buffer.alloc(9), {}, /closed|ECONNRESET|EPIPE/],
  ] as const)(
    'counts a file as not scanned and alerts the operator if it %s',
    async (what, content, change, reason) => {
      if (what.includes('reply')) clamd.behaviour = 'stay silent';
      if (what.includes('closed')) clamd.behaviour = 'close';
      const failed = await scan(content, change).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(ScannerUnavailable);
      expect((failed as ScannerUnavailable).reason).toMatch(reason);
      const scanner = `127.0.0.1:${'port' in change ? change.port : clamd.port}`;
      expect(alerts).toMatchObject([{ scanner, reason: expect.stringMatching(reason) }]);
    },
  );
});

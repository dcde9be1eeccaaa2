import { createTestClock } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { createImportProgress } from './import-progress.ts';

function showing(isTerminal: boolean) {
  const clock = createTestClock();
  const written: string[] = [];
  const progress = createImportProgress(clock, { isTerminal, write: (text) => written.push(text) });
  const showEach = (milliseconds: number, times: number) => {
    for (let index = 1; index <= times; index += 1) {
      clock.advance(milliseconds);
      progress.show(index * 1_000, 100_000);
    }
  };
  return { written, progress, showEach };
}

test('logs an import’s rate and remaining time every ten seconds', () => {
  const { written, progress, showEach } = showing(false);
  showEach(500, 45);
  progress.clear();
  expect(written).toEqual([
    '20000 of 100000 records (20 %), 2000 per second, 40 s left\n',
    '40000 of 100000 records (40 %), 2000 per second, 30 s left\n',
  ]);
});

test('an import keeps one line on a terminal current and removes it for other output', () => {
  const { written, progress, showEach } = showing(true);
  showEach(100, 4);
  progress.clear();
  progress.clear();
  expect(written).toEqual([
    '\r\x1b[K1000 of 100000 records (1 %), 10000 per second, 10 s left',
    '\r\x1b[K3000 of 100000 records (3 %), 10000 per second, 10 s left',
    '\r\x1b[K',
  ]);
});

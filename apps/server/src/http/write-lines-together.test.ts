import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { writeLinesTogether } from './write-lines-together.ts';

test('writes the lines of one turn of the event loop together, in their order', async () => {
  const written: string[] = [];
  const log = writeLinesTogether({ write: (lines) => written.push(lines) });
  log.write('a\n');
  await Promise.resolve();
  log.write('b\n');
  expect(written).toEqual([]);
  await setImmediate();
  log.write('c\n');
  await setImmediate();
  expect(written).toEqual(['a\nb\n', 'c\n']);
});

test('writes the lines of the last turn when the process exits, once', async () => {
  const others = process.listeners('exit');
  const written: string[] = [];
  const log = writeLinesTogether({ write: (lines) => written.push(lines) });
  const atExit = process.listeners('exit').filter((listener) => !others.includes(listener));
  log.write('the last line\n');
  for (const listener of atExit) listener.call(process, 0);
  expect(written).toEqual(['the last line\n']);
  await setImmediate();
  expect(written).toEqual(['the last line\n']);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SignaturePageContent, UnprintableDocument } from '../../case-file/documents/ports.ts';
import { createPdfProcess, type ProcessLimits } from './create-pdf-process.ts';

/** A worker that does what the document's text says and answers with the numbers of its process and task. */
const worker = `
  let tasks = 0;
  const hoard = [];
  process.on('disconnect', () => process.exit());
  process.on('message', async ({ document }) => {
    tasks += 1;
    const wish = Buffer.from(document).toString();
    while (wish === 'spin');
    while (wish === 'fill the heap') hoard.push(new Array(10_000).fill(hoard.length));
    while (wish === 'fill buffers') hoard.push(Buffer.alloc(10_000_000, 1));
    if (wish === 'crash') setImmediate(() => { throw new Error('an unexpected fault'); });
    else if (wish === 'exit') process.exit(3);
    else if (wish === 'locked') process.send({ error: 'it is locked', isUnprintable: true });
    else if (wish === 'broken') process.send({ error: 'out of ink', isUnprintable: false });
    else if (wish === 'environment') process.send({ content: Buffer.from(Object.keys(process.env).join(' ')) });
    else process.send({ content: Buffer.from([process.pid, tasks].join(' ')) });
  });
`;

let folder: string;
let script: URL;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-pdf-'));
  writeFileSync(join(folder, 'worker.mjs'), worker);
  script = pathToFileURL(join(folder, 'worker.mjs'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function openProcess(limits: Partial<ProcessLimits> = {}) {
  const pdf = createPdfProcess(script, { time: 60_000, memory: 256, idle: 60_000, ...limits });
  const print = (wish: string) => pdf.append(Buffer.from(wish), page);
  const numbers = async () => {
    const [pid, task] = (await print('')).toString().split(' ').map(Number);
    return { pid, task };
  };
  return { ...pdf, print, numbers };
}
const page = { signatures: [] } as unknown as SignaturePageContent;

test('does PDF tasks one after another in one process', async () => {
  const { numbers } = openProcess();
  const [first, second, third] = await Promise.all([numbers(), numbers(), numbers()]);
  expect([first.task, second.task, third.task]).toEqual([1, 2, 3]);
  expect(new Set([first.pid, second.pid, third.pid])).toHaveLength(1);
});

test('does not add a listener to the PDF process with each task', async () => {
  const warnings: Error[] = [];
  const collect = (warning: Error) => warnings.push(warning);
  process.on('warning', collect);
  const { numbers } = openProcess();
  for (let task = 0; task < 12; task++) await numbers();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', collect);
  expect(warnings).toEqual([]);
});

test('rejects a document that takes too long without blocking this process, and starts a new one', async () => {
  const { print, numbers } = openProcess({ time: 3_000 });
  const before = await numbers();
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 10);
  await expect(print('spin')).rejects.toThrow(
    new UnprintableDocument('it needs more than 3 s: save it as a smaller file and use that'),
  );
  clearInterval(counting);
  expect(turns).toBeGreaterThan(20);
  expect((await numbers()).pid).not.toBe(before.pid);
});

test.each(['fill the heap', 'fill buffers'])(
  'limits the total memory of the PDF process: %s',
  async (wish) => {
    const { print, numbers } = openProcess();
    await expect(print(wish)).rejects.toThrow(Error);
    expect(await numbers()).toMatchObject({ task: 1 });
  },
);

test('gives the PDF process no settings and no secrets', async () => {
  const names = (await openProcess().print('environment')).toString().split(' ');
  expect(names.filter((name) => !/^(NODE_CHANNEL_|PWD$|SHLVL$|_$|OLDPWD$|SystemRoot$)/i.test(name))).toEqual(
    [],
  );
});

test('reports errors of the document as unprintable and other errors unchanged', async () => {
  const { print, check } = openProcess();
  await expect(check(Buffer.from('locked'))).rejects.toThrow(new UnprintableDocument('it is locked'));
  for (const [wish, words] of [
    ['broken', 'out of ink'],
    ['crash', 'exit code 1'],
    ['exit', 'exit code 3'],
  ] as const) {
    const error = await print(wish).catch((error: unknown) => error);
    expect(error).toMatchObject({ message: expect.stringContaining(words) });
    expect(error).not.toBeInstanceOf(UnprintableDocument);
  }
  await expect(check(Buffer.from(''))).resolves.toBeUndefined();
});

test('ends the PDF process after an idle time', async () => {
  const { numbers } = openProcess({ idle: 50 });
  const { pid = 0 } = await numbers();
  const isRunning = () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isRunning, { timeout: 10_000 }).toBe(false);
  expect(await numbers()).toMatchObject({ task: 1 });
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, type TestContext } from 'vitest';
import { watchContexts } from '../browser.ts';
import { projectDirectory, startedProducts } from '../start-product.ts';

/*
 * Keeps what a failed browser test leaves in test-results/: a screenshot of each page, what the pages wrote to the console,
 * the server's log, and a trace of a second attempt, or of each attempt with KEYTURN_TRACES=on. Show a trace with
 * `npx playwright-core show-trace FILE`.
 */

type Task = TestContext['task'];

const kept = Symbol('what is kept of a context');
type WatchedContext = BrowserContext & { [kept]?: { console: string[]; isTraced: boolean } };

const attempts = new WeakMap<Task, number>();
const openContexts = new Set<WatchedContext>();
let current: Task | undefined;

watchContexts(async (context: WatchedContext) => {
  const lines: string[] = [];
  context[kept] = { console: lines, isTraced: false };
  openContexts.add(context);
  context.on('console', (message) => lines.push(`${message.type()}: ${message.text()}`));
  // cspell:disable-next-line
  context.on('weberror', (error) => lines.push(`uncaught: ${error.error().message}`));
  const close = context.close.bind(context);
  context.close = async (...options) => {
    if (hasFailed()) await keepContext(context);
    openContexts.delete(context);
    await close(...options);
  };
  if (isTracing()) await trace(context);
});

beforeEach(async ({ task }) => {
  current = task;
  attempts.set(task, (attempts.get(task) ?? 0) + 1);
  if (isTracing()) await Promise.all([...openContexts].map(trace));
});

// Runs after the hooks of the file, which may close contexts.
afterEach(async () => {
  if (hasFailed()) {
    for (const context of openContexts) await keepContext(context);
    for (const [index, product] of [...startedProducts].entries())
      writeFileSync(join(folderOfTest(), `server-${index + 1}.log`), product.output());
    console.error(`What this failed test left is in ${relative(projectDirectory, folderOfTest())}`);
  }
  for (const context of openContexts) await endTrace(context);
  current = undefined;
});

afterAll(() => startedProducts.clear());

const hasFailed = () => current?.result?.state === 'fail' || (current?.result?.errors ?? []).length > 0;

const isTracing = () =>
  current !== undefined && (process.env.KEYTURN_TRACES === 'on' || (attempts.get(current) ?? 0) > 1);

async function trace(context: WatchedContext): Promise<void> {
  const state = context[kept];
  if (!state || state.isTraced) return;
  state.isTraced = true;
  await context.tracing.start({ screenshots: true, snapshots: true });
}

async function endTrace(context: WatchedContext, path?: string): Promise<void> {
  const state = context[kept];
  if (!state?.isTraced) return;
  state.isTraced = false;
  await context.tracing.stop(path === undefined ? {} : { path });
}

let keptContexts = 0;

async function keepContext(context: WatchedContext): Promise<void> {
  keptContexts += 1;
  const file = (name: string) => join(folderOfTest(), `${keptContexts}-${name}`);
  const lines = context[kept]?.console ?? [];
  if (lines.length > 0) writeFileSync(file('console.txt'), `${lines.join('\n')}\n`);
  for (const [index, page] of context.pages().entries()) await keepPage(page, file(`page-${index + 1}`));
  await endTrace(context, file('trace.zip')).catch(() => {});
}

/** A page that hangs or has crashed has no screenshot. */
async function keepPage(page: Page, file: string): Promise<void> {
  await page.screenshot({ path: `${file}.png`, timeout: 10_000 }).catch(() => {});
}

/** Creates the folder of the current test’s attempt. */
function folderOfTest(): string {
  const task = current as Task;
  const name = `${task.file.name} ${task.name}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(-120);
  const folder = join(projectDirectory, 'test-results', `${name}-${attempts.get(task)}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

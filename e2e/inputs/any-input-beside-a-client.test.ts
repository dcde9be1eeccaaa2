import { fork } from 'node:child_process';
import { once } from 'node:events';
import { calls } from '@keyturn/contract';
import { buildCase, openTestDocuments, signInClient } from '@keyturn/testkit';
import { runSeed } from '@keyturn/testkit/random/run-seed.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connectDatabase } from '../../apps/server/src/adapters/postgres/connect.ts';
import { isLongRun, planOf, repeatCommand } from '../../apps/server/src/testing/any-input/input-plan.ts';
import { buildInputRecords } from '../../apps/server/src/testing/any-input/input-records.ts';
import { exchangeBytes } from '../../apps/server/src/testing/any-input/raw-connection.ts';
import {
  type RawRequest,
  rawFaults,
  rawRequests,
  toHttpParts,
} from '../../apps/server/src/testing/any-input/raw-requests.ts';
import { partsOf, toSentRequest } from '../../apps/server/src/testing/any-input/request-parts.ts';
import { withServer } from '../harness/product-and-browser.ts';
import { productDatabaseUrl } from '../harness/product-database.ts';
import { buildProgram } from '../history/build-program.ts';

/** How many times longer reads next to bad input may take at the p99 than next to good requests. */
const maxRatio = 3;
/** The number of inputs, and of good requests, after which the others have their turn. */
const sliceSize = 200;
const concurrentSenders = 4;

/** Two thirds are requests that a parser of HTTP accepts. */
const badRequests = fc.oneof(
  { weight: 2, arbitrary: rawRequests.map((request): RawRequest => ({ ...request, fault: 'none' })) },
  { weight: 1, arbitrary: rawRequests },
);

/** Reads of clients that need no parameters. */
const goodRequests = Object.keys(calls)
  .filter((key) => calls[key as keyof typeof calls].access === 'client' && /^GET [^{]+$/.test(key))
  .map((key): RawRequest => {
    const path = key.replace('GET ', '/api');
    const request = { method: 'GET', path, query: '', headers: {}, body: null, sender: 'client' };
    return { request, fault: 'none', number: 0 };
  });

const server = withServer({ KEYTURN_TRUSTED_PROXIES: '1', KEYTURN_READS_PER_CLIENT: '1000000' });

/** Builds new records, because bad input that is accepted changes them. @returns a function that sends a request */
async function createSender(database: ReturnType<typeof connectDatabase>) {
  const records = await buildInputRecords(
    {
      ...database,
      url: server.url,
      files: openTestDocuments(server.dataDirectory).files,
      signInAs: (clientId) => signInClient(database, clientId),
    },
    async () => [],
  );
  const signIns = new Map<string, ReturnType<typeof records.signIn>>();
  return async ({ request, fault, number }: RawRequest) => {
    const signIn = signIns.get(request.sender) ?? records.signIn(request.sender);
    signIns.set(request.sender, signIn);
    const parts = toHttpParts(partsOf(toSentRequest(request), await signIn, records));
    const rawFault = rawFaults[fault];
    if (!rawFault) throw new Error(`unknown fault ${fault}`);
    return exchangeBytes(Number(new URL(server.url).port), rawFault.write(parts, number), {
      isIncomplete: rawFault.isIncomplete === true,
      isHead: request.method === 'HEAD',
    });
  };
}

/** Sends requests, several at the same time. @returns the number of answers by status */
async function sendAll(requests: readonly RawRequest[], send: Awaited<ReturnType<typeof createSender>>) {
  const statuses: Record<number, number> = {};
  const waiting = [...requests];
  const work = async () => {
    for (let request = waiting.pop(); request; request = waiting.pop()) {
      const status = (await send(request))?.status ?? 0;
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: concurrentSenders }, work));
  return statuses;
}

const percentile99 = (times: number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;

describe.runIf(isLongRun)('any input', () => {
  test('fault 58: a client’s reads take no longer next to any input than next to as many good requests', async () => {
    const database = connectDatabase({ url: productDatabaseUrl(server.dataDirectory) });
    const { program, remove } = await buildProgram('e2e/inputs/reading-process.ts');
    const { clientId } = await buildCase(database.database);
    const { authorization } = await signInClient(database, clientId);
    const reader = fork(program, [server.url, authorization]);
    const { numRuns } = planOf('besideClient');
    const inputs = fc.sample(badRequests, { seed: runSeed, numRuns });
    const phases = {
      bad: (start: number) => inputs.slice(start, start + sliceSize),
      good: () =>
        Array.from(
          { length: sliceSize },
          (_, index) => goodRequests[index % goodRequests.length] as RawRequest,
        ),
    };
    try {
      for (let start = 0; start < numRuns; start += sliceSize) {
        // In turn, so that neither has the machine at a busier time.
        const order = (start / sliceSize) % 2 === 0 ? (['good', 'bad'] as const) : (['bad', 'good'] as const);
        for (const phase of order) {
          const send = await createSender(database);
          reader.send(phase);
          const statuses = await sendAll(phases[phase](start), send);
          reader.send('');
          if (phase === 'good') expect(Object.keys(statuses)).toEqual(['200']);
          expect(Object.keys(statuses)).not.toContain('500');
        }
      }
      reader.send('report');
      const [times] = (await once(reader, 'message')) as [Record<'good' | 'bad', number[]>];
      const [good, bad] = [percentile99(times.good), percentile99(times.bad)];
      console.log(
        `${numRuns} inputs (seed ${runSeed}): a client waited ${bad.toFixed(1)} ms at p99 of ${times.bad.length} reads, ` +
          `and ${good.toFixed(1)} ms of ${times.good.length} next to good requests.`,
      );
      expect(bad / good, repeatCommand()).toBeLessThan(maxRatio);
    } finally {
      reader.disconnect();
      remove();
      await database.close();
    }
  });
});

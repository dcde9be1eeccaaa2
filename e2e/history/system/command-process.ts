import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileStore } from '../../../apps/server/src/adapters/files/file-store.ts';
import { connectDatabase } from '../../../apps/server/src/adapters/postgres/connect.ts';
import type { ImportDependencies } from '../../../apps/server/src/case-file/import/batches/batch-context.ts';
import { createPaymentDependencies } from '../../../apps/server/src/composition/commands/payment-dependencies.ts';
import { runImport } from '../../../apps/server/src/doors/import/import-command.ts';
import type { PaymentDependencies } from '../../../apps/server/src/payments/payment-dependencies.ts';
import {
  type PaymentsCommand,
  runPaymentsCommand,
} from '../../../apps/server/src/payments/reconciliation/payments-command.ts';
import { releaseSearch } from '../../../apps/server/src/payments/records/payments-store.ts';
import { hasRefundFailed } from '../../../apps/server/src/payments/records/refund-states.ts';
import { describeError } from '../../../apps/server/src/platform/describe-error.ts';
import { DomainError } from '../../../apps/server/src/platform/domain-error.ts';
import { readSettings } from '../../../apps/server/src/settings/read-settings.ts';
import { approveAsMember } from '../../../apps/server/src/testing/refund-as-member.ts';

/** A `keyturn` command: `payments …`, or `import` with a feed of searches. */
export type FirmCommand =
  | PaymentsCommand
  | { name: 'import'; searches: object[] }
  /** A member of finance approves a refund, as at the desk. */
  | { name: 'approve at the desk'; refundId: string };
export interface FromCommandProcess {
  exitCode: number;
  lines: string[];
}

/** Runs `keyturn` commands with a clock that the parent moves; everything else matches `cli.ts`. */
async function main() {
  let ahead = Number(process.env.HISTORY_AHEAD ?? 0);
  const clock = () => new Date(Date.now() + ahead);
  const settings = readSettings(process.env, process.env.HISTORY_PROJECT ?? '');
  const stripe = settings.payments.stripe;
  // The same timeout as in `server-process.ts`.
  if (stripe) Object.assign(stripe.client, { timeout: 1_000 });
  const run = async (command: FirmCommand): Promise<FromCommandProcess> => {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const connected = connectDatabase({ url: process.env.DATABASE_URL ?? '', size: 4 });
    try {
      if (command.name === 'import') {
        const importing = {
          database: connected.database,
          clock,
          ...withoutDocuments(settings.dataDirectory),
        };
        return { exitCode: await importSearches(importing, command.searches, clock, print), lines };
      }
      const dependencies = await createPaymentDependencies(connected, settings, clock);
      if (command.name === 'approve at the desk') {
        return await approveAtDesk(dependencies, command.refundId);
      }
      return { exitCode: await runPaymentsCommand(dependencies, command, print, 0), lines };
    } catch (error) {
      // `cli.ts` exits with 2.
      return { exitCode: 2, lines: [...lines, describeError(error).message] };
    } finally {
      await connected.close().catch(() => {});
    }
  };
  process.on('message', (message: { ahead: number; command?: FirmCommand }) => {
    ahead = message.ahead;
    if (message.command) void run(message.command).then((result) => process.send?.(result));
  });
  process.on('disconnect', () => process.exit(0));
}

async function approveAtDesk(dependencies: PaymentDependencies, id: string): Promise<FromCommandProcess> {
  try {
    const { status } = await approveAsMember(dependencies, id);
    return {
      exitCode: hasRefundFailed(status) || status === 'rejected' ? 1 : 0,
      lines: [`${id}: ${status}`],
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { exitCode: 1, lines: [error.message] };
  }
}

async function importSearches(
  dependencies: ImportDependencies,
  searches: object[],
  clock: () => Date,
  print: (line: string) => void,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-history-feed-'));
  try {
    const file = join(folder, 'feed.json');
    const as_of = clock().toISOString().slice(0, 10);
    writeFileSync(file, JSON.stringify({ format: 'keyturn-case-feed/1', as_of, searches }));
    return await runImport(dependencies, { file, dryRun: false }, print);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The feeds of a history have neither clients nor documents. */
const withoutDocuments = (dataDirectory: string) => ({
  files: createFileStore(join(dataDirectory, 'documents')),
  hashPassword: () => Promise.reject(new Error('the feed has no clients')),
  checkPassword: async () => [],
  releaseSearch,
  findSigningFault: () => Promise.reject(new Error('the feed has no documents')),
  findViewingFault: () => Promise.reject(new Error('the feed has no documents')),
  findMalware: () => Promise.reject(new Error('the feed has no documents')),
  alertOperator: () => {},
});

await main();

import { createStripeProvider } from '@keyturn/server/adapters/stripe/create-stripe-provider.ts';
import { readInstallationId } from '@keyturn/server/payments/continuity/installation-id.ts';
import { runPaymentsCommand } from '@keyturn/server/payments/reconciliation/payments-command.ts';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { buildCase, buildFirm } from './builders/builders.ts';
import { createPaymentWorld, intentOf, ownCard } from './payment-world.ts';
import { type StripeSimulator, startStripeSimulator } from './stripe-simulator/start-stripe-simulator.ts';
import type { StripeAccount } from './stripe-simulator/stripe-account.ts';
import { stripeSettings } from './stripe-simulator/stripe-settings.ts';
import { createRunningClock } from './test-clock.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { createTestServer, type TestServer } from './test-server.ts';

type BuiltCase = Awaited<ReturnType<typeof buildCase>>;

interface Backup {
  simulator: StripeSimulator;
  /** Copy it before you start a server on it. */
  yesterday: TestDatabase;
  cases: Record<'earlier' | 'search' | 'other' | 'open' | 'untouched', BuiltCase>;
}

/**
 * Creates for each test a backup of yesterday with five cases, one of which has paid its search at Stripe, and
 * functions that act as servers, clients and the operator before and after the restore.
 * @param settings returns more settings; called for each server
 */
export function withBackup(settings: (simulator: StripeSimulator) => Record<string, string> = () => ({})) {
  const backup = {} as Backup;
  const databases: TestDatabase[] = [];
  const servers: TestServer[] = [];

  const dropLater = (database: TestDatabase) => void databases.push(database);
  const copyOf = async (copied: TestDatabase) => {
    const database = await createTestDatabase({ copyOf: copied });
    dropLater(database);
    return database;
  };
  const start = async (database: TestDatabase) => {
    const server = await createTestServer({
      database,
      env: { ...stripeSettings(backup.simulator), ...settings(backup.simulator) },
    });
    servers.push(server);
    return server;
  };
  const stop = async (server: TestServer) => {
    servers.splice(servers.indexOf(server), 1);
    await server.stop();
  };
  const call = async (
    server: TestServer,
    { clientId }: Pick<BuiltCase, 'clientId'>,
    path: string,
    payload: object = {},
  ) => {
    const headers = await server.signInAs(clientId);
    return (await server.app.inject({ method: 'POST', url: `/api${path}`, headers, payload })).json();
  };
  const startSearch = (server: TestServer, built: Pick<BuiltCase, 'clientId' | 'caseSearchId'>) =>
    call(server, built, `/case-searches/${built.caseSearchId}/payments`, ownCard);
  /** Delivers the webhooks that wait. */
  const deliver = async (server: TestServer) => {
    for (const event of backup.simulator.webhooks.waiting.splice(0)) {
      await backup.simulator.webhooks.deliver(`${server.url}/api/webhooks/stripe`, event);
    }
  };
  /** Pays for a search, or a started payment, and waits until its receipt number is in the intent. */
  const pay = async (server: TestServer, built: BuiltCase, started?: { client_secret: string }) => {
    const intentId = intentOf((started ?? (await startSearch(server, built)).data).client_secret);
    backup.simulator.intents.confirm(intentId, 'pm_card_visa');
    await deliver(server);
    await vi.waitFor(
      () => expect(backup.simulator.intents.find(intentId).metadata.receipt_number).toMatch(/^R-/),
      20_000,
    );
    return intentId;
  };

  beforeEach(async () => {
    backup.simulator = await startStripeSimulator(createRunningClock());
    backup.yesterday = await createTestDatabase();
    dropLater(backup.yesterday);
    const { database } = backup.yesterday;
    await buildFirm(database);
    backup.cases = {
      earlier: await buildCase(database),
      search: await buildCase(database),
      other: await buildCase(database),
      open: await buildCase(database),
      untouched: await buildCase(database, { clients: [{ firstName: 'Amelia' }, { firstName: 'Tom' }] }),
    };
    const server = await start(backup.yesterday);
    await pay(server, backup.cases.earlier);
    await stop(server);
    await backup.yesterday.close();
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
    for (const database of databases.splice(0)) await database.drop();
    await backup.simulator.stop();
  });

  return Object.assign(backup, {
    dropLater,
    copyOf,
    start,
    stop,
    call,
    startSearch,
    deliver,
    pay,
    paidPayments,
    captured: () => backup.simulator.intents.all().filter(({ status }) => status === 'succeeded'),
    command: (database: TestDatabase, options: RecoverOptions) =>
      runRecoverCommand(backup.simulator, database, options),
  });
}

const paidPayments = async ({ pool }: TestDatabase) =>
  (
    await pool.query(
      `select p.id, p.status, p.amount, p.refunded_amount, p.receipt_number, p.case_search_id, p.category, p.matter_id,
         p.client_id, p.confirmed_by, s.status as search,
         (select count(*)::int from history_entries h where h.case_id = p.case_id and h.category = 'payment') as entries
       from payments p left join case_searches s on s.id = p.case_search_id
       where p.paid_at is not null order by p.receipt_number`,
    )
  ).rows;

interface RecoverOptions {
  dryRun: boolean;
  leave?: string[];
  /** The firm's second account. */
  businessAccount?: StripeAccount | undefined;
  /** Runs at Stripe just before the recovery cancels an intent. */
  beforeCancelling?: (intentId: string) => void;
}

/** Runs `keyturn payments recover`. */
async function runRecoverCommand(
  simulator: StripeSimulator,
  database: TestDatabase,
  { beforeCancelling, businessAccount, ...options }: RecoverOptions,
) {
  const shared = { publishableKey: 'pk_test', webhookSecrets: [], apiBase: simulator.url };
  const stripe = createStripeProvider({ ...shared, secretKey: 'rk_test_simulated' });
  const provider: typeof stripe = {
    ...stripe,
    cancelIntent: (intentId) => {
      beforeCancelling?.(intentId);
      return stripe.cancelIntent(intentId);
    },
  };
  const business =
    businessAccount &&
    createStripeProvider({ ...shared, name: 'stripe_business', secretKey: businessAccount.secretKey });
  const active = business ? [provider, business] : [provider];
  const { dependencies } = createPaymentWorld(database, {
    dependencies: {
      provider,
      providers: { active, former: [] },
      installationId: await readInstallationId(database.database),
    },
  });
  const lines: string[] = [];
  const exitCode = await runPaymentsCommand(
    dependencies,
    { name: 'recover', since: null, leave: [], ...options },
    (line) => lines.push(line),
  );
  return { exitCode, lines, dependencies };
}

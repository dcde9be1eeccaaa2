import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { createFileStore } from '../adapters/files/file-store.ts';
import { createMailer } from '../adapters/mail/create-mailer.ts';
import type { Letterhead } from '../adapters/mail/render-mail.ts';
import { type ServedMetrics, serveMetrics } from '../adapters/metrics/serve-metrics.ts';
import { createReceiptPrinter } from '../adapters/pdf/create-receipt-printer.ts';
import { createSigningFaultFinder } from '../adapters/pdf/create-signing-fault-finder.ts';
import { createThreadedPrinter } from '../adapters/pdf/create-threaded-printer.ts';
import { connectDatabase } from '../adapters/postgres/connect.ts';
import { createJobRunner } from '../adapters/postgres/run-jobs.ts';
import { createSandbox } from '../adapters/sandbox/create-sandbox.ts';
import { clientRoutes } from '../features/clients/routes.ts';
import { payableCases } from '../features/conveyancing-case/payable-cases.ts';
import { readConveyancingCase } from '../features/conveyancing-case/read-conveyancing-case.ts';
import { documentRoutes } from '../features/documents/routes.ts';
import { signatureKey } from '../features/documents/signature-record.ts';
import { loadDemonstration } from '../features/feed/load-demonstration.ts';
import { paymentHistory } from '../features/history/record-payment.ts';
import { documentHistory } from '../features/history/record-signature.ts';
import { historyRoutes } from '../features/history/routes.ts';
import { createMaintenanceReader } from '../features/maintenance/read-maintenance.ts';
import { maintenanceRoutes } from '../features/maintenance/routes.ts';
import { milestoneRoutes } from '../features/milestones/routes.ts';
import { endDeclinedPaymentsHandler } from '../features/payments/checkout/end-declined-payments.ts';
import { expirePayments } from '../features/payments/checkout/expire-payments.ts';
import { createPaymentAttempts } from '../features/payments/checkout/payment-attempts.ts';
import { announceFormerPayments } from '../features/payments/mails/announce-former-payments.ts';
import { paymentMailHandler } from '../features/payments/mails/payment-mails.ts';
import { catchUpPayments } from '../features/payments/provider/catch-up-payments.ts';
import { checkPaymentsHandler } from '../features/payments/reconciliation/check-payments-job.ts';
import { paymentRoutes } from '../features/payments/routes.ts';
import { webhookRoute } from '../features/payments/webhooks/webhook-route.ts';
import { payableSearches } from '../features/searches/payable-searches.ts';
import { searchRoutes } from '../features/searches/routes.ts';
import { checkNewPassword } from '../features/sign-in/check-new-password.ts';
import { createLoginThrottle } from '../features/sign-in/login-throttle.ts';
import { createPasswords } from '../features/sign-in/passwords.ts';
import { signInRoutes } from '../features/sign-in/routes.ts';
import { passwordLinkHandler } from '../features/sign-in/send-password-link.ts';
import { createSessions } from '../features/sign-in/sessions.ts';
import { passwordSetHandler } from '../features/sign-in/set-password.ts';
import { createServer } from '../http/create-server.ts';
import type { AlertOperator } from '../platform/alert-operator.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { describeError } from '../platform/describe-error.ts';
import { watchEventLoopLag } from '../platform/event-loop-lag.ts';
import { repeat } from '../platform/repeat.ts';
import { StartFault } from '../platform/start-fault.ts';
import { installation } from '../platform/tables.ts';
import type { Settings } from '../settings/read-settings.ts';
import { chooseProviders } from './choose-providers.ts';
import { composeDashboard } from './compose-dashboard.ts';
import { composeMetrics } from './compose-metrics.ts';
import { composeRealtime } from './compose-realtime.ts';

export interface ComposeOptions {
  settings: Settings;
  /** Migrated. */
  databaseUrl: string;
  /** Holds the demonstration firm and the dashboard's build. */
  projectDirectory: string;
  version: string;
  /** The built `signature-worker.ts`. Without it signatures are printed in this thread, as tests of the sources do. */
  signatureWorker?: URL;
  clock?: Clock;
  /** Milliseconds between two looks at the payments that are open; tests look more often. */
  catchUpEvery?: number;
  /** Standard output unless told. */
  logTo?: { write(line: string): void };
}

export interface Keyturn {
  app: FastifyInstance;
  /** What the installation held when it was composed. */
  holds: 'nothing' | 'demonstration' | 'real';
  /** Serves, and begins the work that goes on by itself. @returns the address */
  listen(): Promise<string>;
  /** Where the figures are, once they are served; null: nowhere. */
  metricsAddress(): string | null;
  /** Finishes requests under way, ends the work, closes the database. */
  close(): Promise<void>;
}

/** Chooses the adapters, hands them out, and puts the server together. */
export async function compose(options: ComposeOptions): Promise<Keyturn> {
  const { settings, projectDirectory, clock = systemClock } = options;
  const connected = connectDatabase({
    url: options.databaseUrl,
    onIdleError: (error) => app?.log.warn({ reason: error.message }, 'a database connection broke'),
  });
  const { database, pool } = connected;
  let app: FastifyInstance | undefined;
  try {
    const files = createFileStore(join(settings.dataDirectory, 'documents'));
    const passwords = createPasswords();
    const printer = await openPrinter(options.signatureWorker);
    if (settings.demonstration) {
      await loadDemonstration({
        database,
        files,
        clock,
        hashPassword: passwords.hash,
        checkPassword: checkNewPassword,
        findSigningFault: createSigningFaultFinder(printer),
        folder: join(projectDirectory, 'demo'),
      });
    }
    const [held] = await database.select().from(installation);
    if (!held) throw new Error('the installation has no row');
    if (settings.environment === 'production' && held.holds === 'demonstration') {
      throw new StartFault(
        'This installation holds the demonstration firm, whose passwords everybody knows: production needs another database or KEYTURN_DATA_DIR.',
      );
    }

    const readMaintenance = createMaintenanceReader(database, clock);
    const sessions = createSessions({ database, clock, ...settings.session });
    const alertOperator: AlertOperator = (message, details) => app?.log.error(details, message);
    // Beside Stripe the sandbox has neither routes nor webhooks: what it once began is ended in its books alone.
    const sandbox = createSandbox({
      pool,
      clock,
      webhookSecrets: [createHmac('sha256', held.secret).update('sandbox webhooks').digest('hex')],
      webhookUrl: () => ownAddress(app, '/api/webhooks/sandbox'),
      onError: (error) => app?.log.warn({ err: error }, 'sandbox webhooks are held up'),
    });
    const isSandbox = settings.payments.provider === 'sandbox';
    const { provider, formerProvider } = chooseProviders(settings.payments, sandbox.provider);
    const mailer = createMailer({
      ...settings.mail,
      outbox: join(settings.dataDirectory, 'outbox'),
      clock,
      letterhead: () => readLetterhead(database, settings),
    });
    const attempts = createPaymentAttempts({ limits: settings.payments.attempts, clock, alertOperator });
    const payments = {
      database,
      provider,
      formerProvider,
      cases: payableCases,
      searches: payableSearches,
      history: paymentHistory,
      attempts,
      clock,
      alertOperator,
    };
    const realtime = composeRealtime({
      settings,
      secret: held.secret,
      database,
      databaseUrl: options.databaseUrl,
      pool,
      clock,
      authenticate: sessions.authenticate,
      onError: (error) =>
        app?.log.warn({ reason: describeError(error).message }, 'the real-time channel is held up'),
    });
    const metrics = composeMetrics({ pool, database, realtime, alertOperator });
    let served: ServedMetrics | undefined;
    const lag = watchEventLoopLag();
    let isDraining = false;
    const receipts = createReceiptPrinter();
    const mailing = {
      database,
      mailer,
      clock,
      dashboardUrl: () => settings.publicUrl ?? ownAddress(app, '') ?? '',
    };
    const jobs = createJobRunner({
      pool,
      handlers: [
        passwordLinkHandler(mailing),
        passwordSetHandler(mailing),
        paymentMailHandler({ ...mailing, cases: payableCases, receipts }),
        endDeclinedPaymentsHandler(payments),
        checkPaymentsHandler(payments),
      ],
      alertOperator,
    });
    const server = await createServer({
      handlers: {
        ...signInRoutes({
          database,
          passwords,
          sessions,
          clock,
          throttle: createLoginThrottle({ database, clock }),
        }),
        ...clientRoutes({ database, readConveyancingCase }),
        ...searchRoutes({ database }),
        ...milestoneRoutes({ database }),
        ...historyRoutes({ database }),
        ...paymentRoutes({
          ...payments,
          limits: settings.payments.limits,
          receipts,
        }),
        ...documentRoutes({
          database,
          files,
          printer,
          history: documentHistory,
          signingKey: signatureKey(held.secret),
          clock,
          alertOperator,
        }),
        ...maintenanceRoutes(readMaintenance),
      },
      readMaintenance,
      authenticate: sessions.authenticate,
      logLevel: settings.logLevel,
      ...(options.logTo ? { logTo: options.logTo } : {}),
      onAnswered: metrics.onAnswered,
      load: {
        maxConcurrentRequests: settings.maxConcurrentRequests,
        lag: lag.milliseconds,
        onShed: metrics.onShed,
      },
      trustedProxies: settings.trustedProxies,
      version: options.version,
      paymentProvider: provider.name,
      apiPlugins: [
        webhookRoute({ ...payments, formerProvider: isSandbox ? formerProvider : null }),
        ...(isSandbox ? [sandbox.routes] : []),
      ],
      allowedOrigins: settings.allowedOrigins,
      plugins: realtime.routes,
      ...composeDashboard({
        settings,
        projectDirectory,
        database,
        readMaintenance,
        publishableKey: provider.publishableKey,
        realtimeKey: realtime.key,
        version: options.version,
      }),
      isReady: async () => !isDraining && (await answersSoon(database)),
    });
    app = server;
    const catchingUp = repeat(
      options.catchUpEvery ?? catchUpEvery,
      async () => {
        // What its bank was still confirming when the provider was changed.
        if (!isSandbox) await sandbox.intents.settleDue();
        for (const one of formerProvider ? [provider, formerProvider] : [provider]) {
          await expirePayments({ ...payments, provider: one });
          await catchUpPayments({ ...payments, provider: one });
        }
        await attempts.sweep(database);
      },
      (error) => alertOperator('the catch-up is held up', { reason: describeError(error).message }),
    );
    return {
      app: server,
      holds: held.holds,
      listen: async () => {
        if (settings.metrics) served = await serveMetrics(metrics, settings.metrics);
        await server.listen({ host: settings.host, port: settings.port });
        await realtime.start(server);
        if (isSandbox) sandbox.start();
        await announceFormerPayments(payments);
        catchingUp.start();
        await jobs.start();
        return ownAddress(server, '') ?? '';
      },
      metricsAddress: () => served?.address ?? null,
      close: async () => {
        // Whoever spreads the requests sees it at once, and sends no more of them here.
        isDraining = true;
        await realtime.stop();
        await catchingUp.stop();
        await jobs.stop();
        // A webhook of ours that is under way would keep its connection, and the server waiting for it.
        if (isSandbox) await sandbox.stop();
        await server.close();
        lag.stop();
        await served?.stop();
        await connected.close();
      },
    };
  } catch (error) {
    await connected.close();
    throw error;
  }
}

/** A database that takes its time is as good as none to who decides where requests go. */
const answersSoon = (database: Database) =>
  Promise.race([
    database.execute(sql`select 1`).then(
      () => true,
      () => false,
    ),
    pause(readyWithin, false, { ref: false }),
  ]);

/** Milliseconds. */
const readyWithin = 2_000;

const openPrinter = async (worker: URL | undefined) =>
  worker
    ? createThreadedPrinter(worker)
    : (await import('../adapters/pdf/create-signature-printer.ts')).createSignaturePrinter();

/** Milliseconds between two looks for payments that nobody finishes, and for those whose last word is not known. */
const catchUpEvery = 30_000;

async function readLetterhead(database: Database, { productName }: Settings): Promise<Letterhead> {
  const [held] = await database.select().from(installation);
  return {
    name: held?.firm?.name ?? productName,
    phone: held?.firm?.phone ?? null,
    address: held?.firm?.address ?? [],
    sraNumber: held?.firm?.sra_number ?? null,
  };
}

/** Where the server is to be found on this machine. */
function ownAddress(app: FastifyInstance | undefined, path: string): string | null {
  const address = app?.server.address();
  if (!address || typeof address === 'string') return null;
  const everywhere = address.address === '0.0.0.0' || address.address === '::';
  const host = everywhere
    ? 'localhost'
    : address.family === 'IPv6'
      ? `[${address.address}]`
      : address.address;
  return `http://${host}:${address.port}${path}`;
}

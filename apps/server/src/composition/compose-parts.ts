import type { S3Timeouts } from '../adapters/files/s3-objects.ts';
import { createFaultFinders } from '../adapters/pdf/create-fault-finders.ts';
import { createPdfProcess } from '../adapters/pdf/create-pdf-process.ts';
import type { ConnectedDatabase } from '../adapters/postgres/connect.ts';
import { watchClocks } from '../adapters/postgres/watch-clocks.ts';
import { signatureKey } from '../case-file/documents/signature-record.ts';
import { createSignedCopies } from '../case-file/documents/signed-copies.ts';
import { createMaintenanceReader } from '../live/maintenance/read-maintenance.ts';
import { shareStaffKey } from '../live/shared-resources/shared-resources.ts';
import { createStoredReceipts } from '../payments/receipts/stored-receipts.ts';
import { releaseSearch } from '../payments/records/payments-store.ts';
import { createSessions } from '../people/clients/sessions.ts';
import { createFirstPasswordCheck } from '../people/credentials/check-new-password.ts';
import { createPasswords } from '../people/credentials/passwords.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { finishRestores } from '../records/backup/finish-restore.ts';
import type { Settings } from '../settings/read-settings.ts';
import { afterRestore } from './after-restore.ts';
import { composeBuilds } from './compose-builds.ts';
import { composeDeskCase } from './compose-desk-case.ts';
import { composeFeed } from './compose-feed.ts';
import { composeHandlers } from './compose-handlers.ts';
import { composeJobs } from './compose-jobs.ts';
import { composeMetrics } from './compose-metrics.ts';
import { composeOutgoingWebhooks } from './compose-outgoing-webhooks.ts';
import { composePayments } from './compose-payments.ts';
import { composeRequestLimits } from './compose-request-limits.ts';
import { composeStaff } from './compose-staff.ts';
import { openAuditArchive, openDocumentStore, openScanner } from './open-document-store.ts';
import { openInstallation } from './open-installation.ts';
import { composeRealtime } from './realtime/compose-realtime.ts';
import type { ServerReference } from './server-reference.ts';
import { shareStore } from './share-store.ts';

export interface ComposeOptions {
  settings: Settings;
  /** A migrated database. */
  databaseUrl: string;
  /** Contains the demonstration firm and the dashboard's build. */
  projectDirectory: string;
  version: string;
  /**
   * The built `pdf-worker.ts`. Without it, PDFs are created and read in this process, as in tests that run from the
   * sources.
   */
  pdfWorker?: URL;
  /** The built `weakness-worker.ts`. Without it, new passwords are checked in this thread. */
  weaknessWorker?: URL;
  clock?: Clock;
  /** Milliseconds between two checks of open payments; tests check more often. */
  catchUpEvery?: number;
  /** How long the document store in S3 may take; tests wait for less time. */
  storeTimeouts?: S3Timeouts;
  /** Standard output by default. */
  logTo?: { write(line: string): void };
}

export type Parts = Awaited<ReturnType<typeof composeParts>>;

/** Opens the document store and the installation, as all servers of the database do. */
async function openInstallationWithFiles(
  options: ComposeOptions,
  { database, pool }: ConnectedDatabase,
  reference: ServerReference,
) {
  const { settings, projectDirectory } = options;
  const { alertAbout } = reference;
  const clock = options.clock ?? systemClock;
  const clocks = watchClocks({
    pool,
    clock,
    alertOperator: alertAbout('clocks'),
    onError: (error) => reference.warn('the clocks of the server and the database cannot be compared', error),
  });
  const storeOperator = { clock, alertOperator: alertAbout('documents') };
  const opened = await openDocumentStore(settings, {
    ...storeOperator,
    isServer: true,
    ...(options.storeTimeouts ? { timeouts: options.storeTimeouts } : {}),
  });
  await shareStaffKey(database, settings);
  const store = await shareStore(opened, { database, ...storeOperator });
  const { files } = store;
  await finishRestores(afterRestore(clock), database);
  const { weaknessWorker } = options;
  const passwords = createPasswords(weaknessWorker ? { weaknessWorker } : {});
  const printers = await openPrinters(options.pdfWorker);
  const importDependencies = {
    database,
    files,
    clock,
    alertOperator: alertAbout('malware'),
    hashPassword: passwords.hash,
    checkPassword: createFirstPasswordCheck(passwords),
    releaseSearch,
    ...createFaultFinders(printers.printer),
    findMalware: openScanner(settings, { clock, alertOperator: alertAbout('virus_scanner') }),
  };
  const installation = await openInstallation({ settings, projectDirectory, ...importDependencies });
  return { ...printers, ...installation, clocks, store, passwords, importDependencies };
}

/** Creates the adapters and the features' dependencies. */
export async function composeParts(
  options: ComposeOptions,
  connected: ConnectedDatabase,
  reference: ServerReference,
  lag: () => number,
) {
  const { settings, projectDirectory } = options;
  const { database, sharedConnections, pool } = connected;
  const { alertAbout } = reference;
  const opened = await openInstallationWithFiles(options, connected, reference);
  const { clocks, store, passwords, printer, paymentPrinter, importDependencies } = opened;
  const { secret, contents, installationId } = opened;
  const { files, clock } = importDependencies;
  const { laterClock } = clocks;
  const feed = composeFeed(settings, importDependencies, reference);
  const shared = { settings, secret, database, pool, clock };
  const readMaintenance = createMaintenanceReader(database, clock, reference.logMaintenance);
  const sessions = createSessions({ database, sharedConnections, clock: laterClock, ...settings.session });
  const {
    dependencies: payments,
    sandbox,
    catchUp,
    isKeyRejected,
  } = composePayments({ ...shared, installationId, server: reference, catchUpEvery: options.catchUpEvery });
  const realtime = composeRealtime({
    ...shared,
    clock: laterClock,
    databaseUrl: options.databaseUrl,
    authenticate: sessions.authenticate,
    lag,
    onError: (error) => reference.warn('the real-time channel has a problem', error),
  });
  const alertOperator = alertAbout('documents');
  const receipts = createStoredReceipts({ database, files, printer: paymentPrinter, clock, alertOperator });
  const signingKey = signatureKey(secret);
  const copies = createSignedCopies({ database, files, printer, signingKey, clock, alertOperator });
  const metrics = composeMetrics({
    pool,
    database,
    realtime,
    server: reference,
    archivesAuditLog: settings.documents.auditArchive !== null,
  });
  const handlers = composeHandlers({
    ...shared,
    laterClock,
    files,
    passwords,
    sessions,
    printer,
    copies,
    payments,
    receipts,
    readMaintenance,
    alertAbout,
    onSignIn: metrics.onSignIn,
  });
  const limits = composeRequestLimits(settings, pool);
  const staff = composeStaff({
    ...shared,
    laterClock,
    installation: { secret, contents },
    passwords,
    alertOperator: alertAbout('sign_in'),
    limits,
    handlers,
    payments: { ...payments, receipts, isKeyRejected },
    channel: realtime.desk,
    deskCase: composeDeskCase(importDependencies, { database, files, copies, alertOperator }),
    files,
  });
  const jobs = composeJobs({
    ...shared,
    allowsDeletion: clocks.allowsDeletion,
    server: reference,
    payments,
    receipts,
    factSheetPrinter: paymentPrinter,
    importing: importDependencies,
    files,
    auditArchive: await openAuditArchive(settings),
  });
  const webhooks = composeOutgoingWebhooks({
    ...shared,
    databaseUrl: options.databaseUrl,
    server: reference,
  });
  const builds = composeBuilds({ ...shared, projectDirectory, server: reference });
  return {
    builds,
    clocks,
    contents,
    copies,
    store,
    secret,
    database,
    readMaintenance,
    sessions,
    payments,
    sandbox,
    catchUp,
    isKeyRejected,
    realtime,
    handlers,
    limits,
    metrics,
    jobs,
    webhooks,
    feed,
    staff,
  };
}

/** What payments print has a separate process, so that it never waits for a document. */
const openPrinters = async (worker: URL | undefined) =>
  worker
    ? { printer: createPdfProcess(worker), paymentPrinter: createPdfProcess(worker) }
    : (await import('../adapters/pdf/print-in-this-process.ts')).printersInThisProcess();

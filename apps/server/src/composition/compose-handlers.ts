import { londonDay } from '@keyturn/format/london-time';
import { sql } from 'drizzle-orm';
import { createClientRead } from '../features/clients/read-client.ts';
import { clientRoutes } from '../features/clients/routes.ts';
import { caseOf, type StoredCase, toCase } from '../features/conveyancing-case/read-conveyancing-case.ts';
import type { DocumentFiles, SignaturePrinter } from '../features/documents/ports.ts';
import { documentRoutes } from '../features/documents/routes.ts';
import { signatureKey } from '../features/documents/signature-record.ts';
import type { SignedCopies } from '../features/documents/signed-copies.ts';
import { documentHistory } from '../features/history/record-signature.ts';
import { historyRoutes } from '../features/history/routes.ts';
import type { ReadMaintenance } from '../features/maintenance/read-maintenance.ts';
import { maintenanceRoutes } from '../features/maintenance/routes.ts';
import { milestoneRoutes } from '../features/milestones/routes.ts';
import { withBills } from '../features/payments/bills/bill-due.ts';
import { billsOf, type StoredBill, toBillWithPayments } from '../features/payments/bills/bills-store.ts';
import { toBill } from '../features/payments/bills/list-bills.ts';
import { acceptsPurpose } from '../features/payments/checkout/choose-provider.ts';
import type { PaymentDependencies } from '../features/payments/payment-dependencies.ts';
import type { StoredReceipts } from '../features/payments/receipts/stored-receipts.ts';
import { paymentRoutes } from '../features/payments/routes.ts';
import { searchRoutes } from '../features/searches/routes.ts';
import { factorSecrets } from '../features/shared-resources/factor-secrets.ts';
import { accountRoutes } from '../features/sign-in/account/routes.ts';
import { clientFactorRules } from '../features/sign-in/factors/client-factor-rules.ts';
import { signInRoutes } from '../features/sign-in/routes.ts';
import { sessionRoutes } from '../features/sign-in/session-routes.ts';
import type { Sessions } from '../features/sign-in/sessions.ts';
import type { SignInDependencies } from '../features/sign-in/sign-in.ts';
import type { Clock } from '../platform/clock.ts';
import { createKnownDevices } from '../platform/credentials/known-devices.ts';
import { createLoginThrottle } from '../platform/credentials/login-throttle.ts';
import type { Passwords } from '../platform/credentials/passwords.ts';
import type { Database } from '../platform/database.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { ServerReference } from './server-reference.ts';
import { type ClientHandlers, withoutPayments, withoutSearchPayments } from './without-payments.ts';

/** Reads a client and the case, and adds bills to the tasks and amounts to pay. */
const clientReadWithBills = (clock: Clock) =>
  createClientRead<{ stored: StoredCase | null; bills: StoredBill[] }>({
    select: (caseId, client) =>
      sql`json_build_object('stored', ${caseOf(caseId, client)}, 'bills', ${billsOf(caseId)})`,
    toCase: ({ stored, bills }) => {
      const found = stored && toCase(stored);
      const today = londonDay(clock());
      return (
        found &&
        withBills(
          found,
          bills.map((bill) => toBill(toBillWithPayments(bill), today)),
        )
      );
    },
  });

/** Collects every feature's handlers for the calls of the contract. */
export function composeHandlers({
  settings,
  secret,
  database,
  files,
  passwords,
  sessions,
  printer,
  copies,
  payments,
  receipts,
  readMaintenance,
  clock,
  laterClock,
  alertAbout,
  onSignIn,
}: {
  settings: Settings;
  /** The installation's secret. */
  secret: string;
  database: Database;
  files: DocumentFiles;
  passwords: Passwords;
  sessions: Sessions;
  printer: SignaturePrinter;
  copies: SignedCopies;
  payments: PaymentDependencies;
  receipts: StoredReceipts;
  readMaintenance: ReadMaintenance;
  clock: Clock;
  /** Decides when access ends. */
  laterClock: Clock;
  alertAbout: ServerReference['alertAbout'];
  onSignIn: SignInDependencies['onSignIn'];
}): ClientHandlers {
  const account = {
    database,
    passwords,
    sessions,
    devices: createKnownDevices({ database, clock }),
    throttle: createLoginThrottle({ database, clock }),
    clock: laterClock,
    codeClock: clock,
    alertOperator: alertAbout('sign_in'),
    secrets: factorSecrets(secret, settings, 'client'),
    productName: settings.productName,
    factorRules: clientFactorRules(sessions),
  };
  const handlers = {
    ...signInRoutes({ ...account, onSignIn }),
    ...accountRoutes(account),
    ...sessionRoutes({ database, clock: laterClock, idleAfter: settings.session.idleAfter }),
    ...clientRoutes({ database, readClient: clientReadWithBills(clock) }),
    ...searchRoutes,
    ...milestoneRoutes,
    ...historyRoutes,
    ...paymentRoutes({ ...payments, limits: settings.payments.limits, receipts }),
    ...documentRoutes({
      database,
      files,
      printer,
      copies,
      history: documentHistory,
      signingKey: signatureKey(secret),
      clock,
      laterClock,
      alertOperator: alertAbout('documents'),
    }),
    ...maintenanceRoutes(readMaintenance),
  } satisfies ClientHandlers;
  if (settings.payments.isOff) return withoutPayments(handlers);
  return acceptsPurpose(settings.payments, 'search') ? handlers : withoutSearchPayments(handlers);
}

import { londonDay } from '@keyturn/format/london-time';
import { sql } from 'drizzle-orm';
import { caseOf, type StoredCase, toCase } from '../case-file/cases/read-conveyancing-case.ts';
import type { DocumentFiles, SignaturePrinter } from '../case-file/documents/ports.ts';
import { signatureKey } from '../case-file/documents/signature-record.ts';
import type { SignedCopies } from '../case-file/documents/signed-copies.ts';
import { documentHistory } from '../case-file/history/record-signature.ts';
import { accountRoutes } from '../doors/client/account-routes.ts';
import { clientRoutes } from '../doors/client/client-routes.ts';
import { documentRoutes } from '../doors/client/document-routes.ts';
import { historyRoutes } from '../doors/client/history-routes.ts';
import { maintenanceRoutes } from '../doors/client/maintenance-routes.ts';
import { milestoneRoutes } from '../doors/client/milestone-routes.ts';
import { paymentRoutes } from '../doors/client/payment-routes.ts';
import { searchRoutes } from '../doors/client/search-routes.ts';
import { sessionRoutes } from '../doors/client/session-routes.ts';
import { signInRoutes } from '../doors/client/sign-in-routes.ts';
import type { ReadMaintenance } from '../live/maintenance/read-maintenance.ts';
import { factorSecrets } from '../live/shared-resources/factor-secrets.ts';
import { withBills } from '../payments/bills/bill-due.ts';
import { billsOf, type StoredBill, toBillWithPayments } from '../payments/bills/bills-store.ts';
import { toBill } from '../payments/bills/list-bills.ts';
import type { PaymentDependencies } from '../payments/payment-dependencies.ts';
import { acceptsPurpose } from '../payments/provider/find-provider.ts';
import type { StoredReceipts } from '../payments/receipts/stored-receipts.ts';
import { clientFactorRules } from '../people/clients/factors/client-factor-rules.ts';
import { createClientRead } from '../people/clients/profile/read-client.ts';
import type { Sessions } from '../people/clients/sessions.ts';
import type { SignInDependencies } from '../people/clients/sign-in.ts';
import { createKnownDevices } from '../people/credentials/known-devices.ts';
import { createLoginThrottle } from '../people/credentials/login-throttle.ts';
import type { Passwords } from '../people/credentials/passwords.ts';
import type { Clock } from '../platform/clock.ts';
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
    factorRules: clientFactorRules,
  };
  const handlers = {
    ...signInRoutes({ ...account, onSignIn }),
    ...accountRoutes(account),
    ...sessionRoutes({ database, clock: laterClock, idleAfter: settings.session.idleAfter }),
    ...clientRoutes({ database, readClient: clientReadWithBills(clock) }),
    ...searchRoutes,
    ...milestoneRoutes(clock),
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

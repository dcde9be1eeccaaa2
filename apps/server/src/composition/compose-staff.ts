import type { PreviewedCall } from '@keyturn/contract/staff';
import type { FastifyInstance } from 'fastify';
import { openArchive } from '../adapters/zip/write-archive.ts';
import { auditHandlers } from '../doors/staff/audit-routes.ts';
import { caseListHandlers } from '../doors/staff/case-list-routes.ts';
import { type DeskCaseDependencies, deskCaseHandlers } from '../doors/staff/case-routes.ts';
import type { DeskChannel } from '../doors/staff/channel/ports.ts';
import { channelHandlers } from '../doors/staff/channel-routes.ts';
import { clientDataHandlers } from '../doors/staff/client-data-routes.ts';
import { feedKeyHandlers } from '../doors/staff/feed-key-routes.ts';
import { firmDataHandlers } from '../doors/staff/firm-data-routes.ts';
import { memberHandlers } from '../doors/staff/member-routes.ts';
import { pathHandlers } from '../doors/staff/path-routes.ts';
import { paymentDeskHandlers } from '../doors/staff/payment-routes.ts';
import { previewHandlers } from '../doors/staff/preview-routes.ts';
import { spreadsheetHandlers } from '../doors/staff/spreadsheet-routes.ts';
import { todayHandlers } from '../doors/staff/today-routes.ts';
import { webhookHandlers } from '../doors/staff/webhook-routes.ts';
import type { ReadCalls } from '../http/call-handlers.ts';
import type { RequestLimits } from '../http/limits/limit-requests.ts';
import { staffRoutes } from '../http/staff/staff-calls.ts';
import { factorSecrets } from '../live/shared-resources/factor-secrets.ts';
import type { PaymentDeskDependencies } from '../payments/desk/desk-dependencies.ts';
import { createKnownDevices } from '../people/credentials/known-devices.ts';
import { createLoginThrottle } from '../people/credentials/login-throttle.ts';
import type { Passwords } from '../people/credentials/passwords.ts';
import { staffFactorRules } from '../people/staff/factors/staff-factor-rules.ts';
import { createStaffSessions, staffCsrfTokenOf } from '../people/staff/sign-in/staff-sessions.ts';
import type { AlertOperator } from '../platform/alert-operator.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { ExportedFiles } from '../records/data-protection/ports.ts';
import type { Settings } from '../settings/read-settings.ts';
import { createWebhookSender } from './compose-outgoing-webhooks.ts';
import { type Installation, isOnOwnMachine } from './open-installation.ts';
import { ownOrigin } from './own-origin.ts';

/** Creates the routes of the staff API. */
export function composeStaff({
  settings,
  installation,
  database,
  clock,
  laterClock,
  passwords,
  alertOperator,
  limits,
  handlers,
  payments,
  channel,
  deskCase,
  files,
}: {
  settings: Settings;
  installation: Pick<Installation, 'secret' | 'contents'>;
  database: Database;
  clock: Clock;
  /** Decides when access ends. */
  laterClock: Clock;
  passwords: Passwords;
  alertOperator: AlertOperator;
  limits: RequestLimits;
  /** Of the client API. */
  handlers: ReadCalls<PreviewedCall>;
  payments: PaymentDeskDependencies;
  channel: DeskChannel | null;
  deskCase: DeskCaseDependencies;
  files: ExportedFiles;
}): (api: FastifyInstance) => Promise<void> {
  const requiresSecondFactor = installation.contents !== 'demonstration' || !isOnOwnMachine(settings);
  const sessions = createStaffSessions({ database, clock: laterClock, requiresSecondFactor });
  return staffRoutes({
    handlers: {
      ...memberHandlers({
        database,
        clock: laterClock,
        codeClock: clock,
        passwords,
        sessions,
        devices: createKnownDevices({ database, clock, accountKind: 'staff' }),
        throttle: createLoginThrottle({ database, clock }),
        secrets: factorSecrets(installation.secret, settings, 'staff'),
        alertOperator,
        requiresSecondFactor,
        productName: settings.productName,
        factorRules: staffFactorRules({ requiresSecondFactor }),
      }),
      ...channelHandlers(channel),
      ...previewHandlers({ database, clock, reads: handlers }),
      ...feedKeyHandlers({ database, clock }),
      ...spreadsheetHandlers({ database, clock }),
      ...webhookHandlers({
        database,
        clock,
        rules: settings.webhooks,
        send: createWebhookSender(settings),
      }),
      ...todayHandlers({ database, clock }),
      ...caseListHandlers({ database, clock }),
      ...paymentDeskHandlers(payments),
      ...auditHandlers({ database, clock }),
      ...deskCaseHandlers(deskCase),
      ...clientDataHandlers({ database, clock, files, openArchive }),
      ...firmDataHandlers({ database, clock }),
      ...pathHandlers(deskCase),
    },
    authenticate: sessions.authenticate,
    csrfTokenOf: staffCsrfTokenOf,
    clock: laterClock,
    ...ownOrigin(settings),
    limits,
  });
}

import type { PreviewedCall } from '@keyturn/contract/staff';
import type { FastifyInstance } from 'fastify';
import { openArchive } from '../adapters/zip/write-archive.ts';
import { auditHandlers } from '../features/audit/routes.ts';
import type { ExportedFiles } from '../features/data-protection/ports.ts';
import { clientDataHandlers } from '../features/data-protection/routes.ts';
import { type DeskCaseDependencies, deskCaseHandlers } from '../features/desk/case/routes.ts';
import { caseListHandlers } from '../features/desk/case-list/routes.ts';
import type { DeskChannel } from '../features/desk/channel/ports.ts';
import { channelHandlers } from '../features/desk/channel/routes.ts';
import { firmDataHandlers } from '../features/desk/firm-data/routes.ts';
import { pathHandlers } from '../features/desk/paths/routes.ts';
import { previewHandlers } from '../features/desk/preview/routes.ts';
import { todayHandlers } from '../features/desk/today/routes.ts';
import { spreadsheetHandlers } from '../features/feed/spreadsheets/routes.ts';
import { feedKeyHandlers } from '../features/feed-keys/routes.ts';
import { webhookHandlers } from '../features/outgoing-webhooks/routes.ts';
import type { PaymentDeskDependencies } from '../features/payments/desk/desk-dependencies.ts';
import { paymentDeskHandlers } from '../features/payments/desk/routes.ts';
import { factorSecrets } from '../features/shared-resources/factor-secrets.ts';
import { requestPasswordLink } from '../features/sign-in/send-password-link.ts';
import { staffFactorRules } from '../features/staff/factors/staff-factor-rules.ts';
import { staffHandlers } from '../features/staff/routes.ts';
import { createStaffSessions, csrfTokenOf } from '../features/staff/sign-in/staff-sessions.ts';
import type { ReadCalls } from '../http/call-handlers.ts';
import type { RequestLimits } from '../http/limits/limit-requests.ts';
import { staffRoutes } from '../http/staff/staff-routes.ts';
import type { AlertOperator } from '../platform/alert-operator.ts';
import type { Clock } from '../platform/clock.ts';
import { createKnownDevices } from '../platform/credentials/known-devices.ts';
import { createLoginThrottle } from '../platform/credentials/login-throttle.ts';
import type { Passwords } from '../platform/credentials/passwords.ts';
import type { Database } from '../platform/database.ts';
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
      ...staffHandlers({
        database,
        clock: laterClock,
        codeClock: clock,
        passwords,
        sessions,
        devices: createKnownDevices({ database, clock, audience: 'staff' }),
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
      ...spreadsheetHandlers({
        database,
        clock,
        invite: (transaction, email) => requestPasswordLink(transaction, email, 'invitation'),
      }),
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
    csrfTokenOf,
    clock: laterClock,
    ...ownOrigin(settings),
    limits,
  });
}

import { documentCommand, runWithdraw } from '../../case-file/documents/document-command.ts';
import { runScan } from '../../case-file/documents/scan-documents.ts';
import { runVerify, verifyCommand } from '../../case-file/documents/verify-command.ts';
import { feedKeyCommand, runFeedKeyCommand } from '../../doors/feed/keys/feed-key-command.ts';
import { maintenanceCommand, runMaintenance } from '../../live/maintenance/maintenance-command.ts';
import { adoptCommand, runAdopt } from '../../live/shared-resources/adopt-command.ts';
import { runWebhookCommand, webhookCommand } from '../../live/webhooks/webhook-command.ts';
import { runStaffCommand, staffCommand } from '../../people/staff/accounts/staff-command.ts';
import { auditCommand, runAuditCommand } from '../../records/audit/audit-command.ts';
import { holdCommand, runHoldCommand } from '../../records/data-protection/holds/hold-command.ts';
import {
  retentionCommand,
  runRetentionCommand,
} from '../../records/data-protection/retention/retention-command.ts';
import { createWebhookSender } from '../compose-outgoing-webhooks.ts';
import { openScanner } from '../open-document-store.ts';
import { afterRecovery, backup, restore } from './back-up-and-restore.ts';
import { client } from './client-commands.ts';
import { type DefineCommand, noAlerts, openFiles, openStore } from './command-context.ts';
import { importing } from './import-command.ts';
import { migrateCommand } from './migrate-command.ts';
import { paymentsCommands } from './payments-commands.ts';
import { reEncrypt } from './re-encrypt-command.ts';

const maintenance: DefineCommand = ({ withDatabase, clock, print }) =>
  maintenanceCommand(
    clock,
    withDatabase((parsed, { database }) => runMaintenance(database, parsed, print)),
  );

const staff: DefineCommand = ({ withDatabase, print }) =>
  staffCommand(withDatabase((parsed, installation) => runStaffCommand(installation, parsed, print)));

const feedKey: DefineCommand = ({ withDatabase, clock, print }) =>
  feedKeyCommand(
    clock,
    withDatabase((parsed, installation) => runFeedKeyCommand(installation, parsed, print)),
  );

const webhook: DefineCommand = ({ withDatabase, print }) =>
  webhookCommand(
    withDatabase((parsed, { database, clock, settings }) =>
      runWebhookCommand(
        { database, clock, rules: settings.webhooks, send: createWebhookSender(settings) },
        parsed,
        print,
      ),
    ),
  );

const audit: DefineCommand = ({ withDatabase, print }) =>
  auditCommand(withDatabase((parsed, installation) => runAuditCommand(installation, parsed, print)));

const document: DefineCommand = ({ withDatabase, print }) =>
  documentCommand(
    withDatabase(async (parsed, installation) => {
      if (parsed.name === 'withdraw') return runWithdraw(installation, parsed, print);
      const { database, clock, settings } = installation;
      const findMalware = settings.documents.virusScanner
        ? openScanner(settings, { clock, alertOperator: noAlerts })
        : null;
      return runScan({ database, clock, files: await openFiles(installation), findMalware }, print);
    }),
  );

const hold: DefineCommand = ({ withDatabase, print }) =>
  holdCommand(withDatabase((parsed, installation) => runHoldCommand(installation, parsed, print)));

const retention: DefineCommand = ({ withDatabase, print }) =>
  retentionCommand(withDatabase((parsed, installation) => runRetentionCommand(installation, parsed, print)));

const verify: DefineCommand = ({ withDatabase, print }) =>
  verifyCommand(
    withDatabase(async (subject, installation) =>
      runVerify({ database: installation.database, files: await openFiles(installation) }, subject, print),
    ),
  );

const adopt: DefineCommand = ({ withDatabase, print }) =>
  adoptCommand(
    withDatabase(async (what, { database, settings, clock }) => {
      const { staffKey } = settings;
      const { files, name } = await openStore(settings);
      return runAdopt({ database, files, storeName: name, staffKey, clock }, what, print);
    }),
  );

/** The commands of `keyturn`, in the order of its help. */
export const allCommands: readonly DefineCommand[] = [
  migrateCommand,
  importing,
  maintenance,
  client,
  staff,
  paymentsCommands,
  feedKey,
  webhook,
  audit,
  document,
  hold,
  retention,
  backup,
  restore,
  reEncrypt,
  afterRecovery,
  adopt,
  verify,
];

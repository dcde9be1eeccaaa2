import { writeArchive } from '../../adapters/zip/write-archive.ts';
import { addClientAccessCommands, runClientAccess } from '../../people/clients/client-access-command.ts';
import { clientCommand, runClientCommand } from '../../people/clients/client-command.ts';
import {
  eraseClientCommand,
  runEraseClient,
} from '../../records/data-protection/erasure/erase-client-command.ts';
import { exportClientCommand, runExportClient } from '../../records/data-protection/export-client-command.ts';
import { type DefineCommand, openFiles } from './command-context.ts';

/** Defines `keyturn client` with all its commands. */
export const client: DefineCommand = (context) => {
  const { withDatabase, print } = context;
  const command = clientCommand(
    withDatabase((parsed, installation) => runClientCommand(installation, parsed, print)),
  );
  addClientAccessCommands(
    command,
    withDatabase((parsed, installation) => runClientAccess(installation, parsed, print)),
  );
  return command.addCommand(exportClient(context)).addCommand(eraseClient(context));
};

const eraseClient: DefineCommand = ({ withDatabase, print }) =>
  eraseClientCommand(withDatabase((parsed, installation) => runEraseClient(installation, parsed, print)));

const exportClient: DefineCommand = ({ withDatabase, print }) =>
  exportClientCommand(
    withDatabase(async (parsed, installation) => {
      const { database, clock } = installation;
      const files = await openFiles(installation);
      return runExportClient({ database, files, writeArchive, clock }, parsed, print);
    }),
  );

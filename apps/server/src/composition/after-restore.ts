import { queueClientNotice } from '../people/clients/client-notice-mail.ts';
import { queueStaffNotice } from '../people/staff/accounts/staff-mail.ts';
import type { Clock } from '../platform/clock.ts';
import type { FileStore } from '../platform/stored-file.ts';
import type { AfterRestore, AfterRestoreWithFiles } from '../records/backup/ports.ts';
import { eraseAgain } from '../records/data-protection/erasure/erase-again.ts';
import { removeFilesOfErasures } from '../records/data-protection/erasure/remove-erased-files-job.ts';

/** Connects what follows a restore with the features that do it. */
export const afterRestore = (clock: Clock): AfterRestore => ({
  clock,
  eraseAgain: (database, subjects) => eraseAgain({ database, clock }, subjects),
  notifyOfDisabledCodes: async (connection, { clients, staff }, at) => {
    for (const id of clients)
      await queueClientNotice(connection, id, { kind: 'recovery_codes_disabled' }, at);
    for (const id of staff) await queueStaffNotice(connection, id, { kind: 'recovery_codes_disabled' });
  },
});

/** Does the same for a command, which also removes files. A server does that in a job. */
export const afterRestoreWithFiles = (
  files: Pick<FileStore, 'remove'>,
  clock: Clock,
): AfterRestoreWithFiles => ({
  ...afterRestore(clock),
  removeErasedFiles: (database) => removeFilesOfErasures({ database, files, clock }),
});

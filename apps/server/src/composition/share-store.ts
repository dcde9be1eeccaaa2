import { type OwnResources, shareDocumentStore } from '../live/shared-resources/shared-resources.ts';
import type { AlertOperator } from '../platform/alert-operator.ts';
import type { Clock } from '../platform/clock.ts';
import { limitAlerts } from '../platform/limit-alerts.ts';
import { StartFault } from '../platform/start-fault.ts';
import { type FileStore, FileStoreUnavailable } from '../platform/stored-file.ts';
import { type DocumentStore, describeStoreFault } from './open-document-store.ts';

interface ShareDependencies extends Pick<OwnResources, 'database'> {
  clock: Clock;
  alertOperator: AlertOperator;
}

/**
 * Checks that the store is the one that the database expects. If it is unavailable, the server starts anyway and checks
 * it before it first uses a file.
 * @throws StartFault if it is another store, or refuses the settings
 */
export async function shareStore(
  store: DocumentStore,
  dependencies: ShareDependencies,
): Promise<DocumentStore> {
  const { share, files } = createSharedStore(store, dependencies);
  const warnings = [...store.warnings];
  if (store.isAvailable) await share().catch((fault) => warnings.push(describeStoreFault(fault)));
  return { ...store, files, warnings };
}

/** Wraps a store whose files cannot be used until it is known to be the one that the database expects. */
function createSharedStore(
  { files, name }: DocumentStore,
  { database, clock, alertOperator }: ShareDependencies,
): { files: FileStore; share(): Promise<void> } {
  const alert = limitAlerts(alertOperator, clock);
  let sharing: Promise<void> | undefined;
  const share = () => {
    sharing ??= shareDocumentStore({ database, files, storeName: name }).catch((error) => {
      sharing = undefined;
      throw error;
    });
    return sharing;
  };
  const ensureShared = () =>
    share().catch((error: unknown) => {
      if (!(error instanceof StartFault)) throw error;
      alert('other store', 'the document store is not used', { reason: error.message });
      throw new FileStoreUnavailable(error.message);
    });
  const afterCheck =
    <Values extends unknown[], Result>(use: (...values: Values) => Promise<Result>) =>
    async (...values: Values) => {
      await ensureShared();
      return use(...values);
    };
  return {
    share,
    files: {
      ...files,
      put: afterCheck(files.put),
      has: afterCheck(files.has),
      read: afterCheck(files.read),
      measure: afterCheck(files.measure),
      // An erased file counts as removed if the store does not have it.
      remove: afterCheck(files.remove),
    },
  };
}

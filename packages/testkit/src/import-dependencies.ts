import type { ImportDependencies } from '@keyturn/server/case-file/import/batches/batch-context.ts';
import { releaseSearch } from '@keyturn/server/payments/records/payments-store.ts';

/**
 * The dependencies of an import other than the database and the files. They accept every password and every
 * document.
 */
export function createImportDependencies(
  stored: Pick<ImportDependencies, 'database' | 'files'>,
  change: Partial<ImportDependencies> = {},
): ImportDependencies {
  return {
    ...stored,
    clock: () => new Date(),
    hashPassword: async (password) => `hash of ${password}`,
    checkPassword: async () => [],
    releaseSearch,
    findSigningFault: async () => null,
    findViewingFault: async () => null,
    findMalware: async () => null,
    alertOperator: () => {},
    ...change,
  };
}

import { type FeedRecord, isSignedOnPaper } from '@keyturn/contract';
import { invalidInput } from '../../platform/domain-error.ts';
import type { EditDependencies } from '../editing/edit-case.ts';
import { findFaultOfFile } from '../editing/upload-file.ts';

/**
 * Checks that a signature page can be added to a document. Runs before the transaction, because it can take long.
 * @throws DomainError `invalid_input`
 */
export async function assertSigningPossible(
  dependencies: EditDependencies,
  reference: string,
  field: string,
): Promise<void> {
  const fault = await findFaultOfFile(dependencies, reference);
  if (fault !== null) throw invalidInput(field, `cannot be signed in Keyturn: ${fault}`);
}

/** Builds the clients’ task to sign a document. */
export const taskToSign = (
  { reference: document, matter, title, signing }: FeedRecord<'documents'>,
  { reference, ofCase }: { reference: string; ofCase: string },
): FeedRecord<'tasks'> => ({
  reference,
  case: ofCase,
  matter,
  document,
  kind: 'sign_document',
  title: `Sign: ${title}`.slice(0, 200),
  explanation: isSignedOnPaper(signing ?? null)
    ? 'Print it, sign it with a pen as it says, and send it back to us.'
    : 'Read it, and sign it here with your name. Everyone on the case has to sign.',
  status: 'open',
});

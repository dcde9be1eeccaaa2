import type { DocumentGroup } from '@keyturn/contract';
import type { Transaction } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
import { documents } from '../../schema/tables/tables.ts';

/** A document that Keyturn makes, such as a client's request. */
export interface FiledDocument {
  matterId: string;
  /** From `deskReference`. */
  reference: string;
  group: DocumentGroup;
  title: string;
  fileName: string;
  mediaType: string;
  /** Bytes. */
  size: number;
  sha256: string;
  /** The name of the person whose act it records. */
  uploadedBy: string;
  sharedAt: Date;
}

/**
 * Adds a document, whose file is stored, to a matter.
 * @returns false if a document with its reference exists
 */
export async function fileDocument(transaction: Transaction, document: FiledDocument): Promise<boolean> {
  const { rowCount } = await transaction
    .insert(documents)
    .values({ id: newId(), ...document })
    .onConflictDoNothing({ target: documents.reference });
  return rowCount === 1;
}

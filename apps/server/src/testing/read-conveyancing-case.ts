import type { ConveyancingCase } from '@keyturn/contract';
import { sql } from 'drizzle-orm';
import { caseOf, type StoredCase, toCase } from '../case-file/cases/read-conveyancing-case.ts';
import type { Connection } from '../platform/database.ts';
import { defineRead } from '../platform/reads/client-read.ts';

/** Reads a case separately, which the server reads as a part of its client. */
export const readConveyancingCase = (
  connection: Connection,
  { caseId, clientId }: { caseId: string; clientId: string },
): Promise<ConveyancingCase | null> => readCase({ caseId }).forClient(connection, clientId);

const readCase = defineRead<StoredCase | null, ConveyancingCase | null, { caseId: string }>({
  name: 'read_case',
  select: (client) => caseOf(sql`${sql.placeholder('caseId')}`, client),
  toAnswer: (stored) => stored && toCase(stored),
});

import { buildCase, withTestDatabase } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { readCaseHistory } from './read-case-history.ts';
import { documentHistory } from './record-signature.ts';

const stored = withTestDatabase();

test('records a signature in the history of its case with the signer’s name and a link to the document', async () => {
  const { id, clientId } = await buildCase(stored.database, {
    clients: [{ firstName: '小龍', lastName: "O'Brien" }],
  });
  const documentId = newId();
  const signedAt = new Date('2026-05-04T09:00:00.123Z');
  await stored.database.transaction((transaction) =>
    documentHistory.recordSigned(transaction, { caseId: id, documentId, title: 'TR1', clientId, signedAt }),
  );
  expect((await readCaseHistory({ limit: 5 }).forClient(stored.database, clientId)).data).toMatchObject([
    {
      occurred_at: '2026-05-04T09:00:00.123Z',
      category: 'document',
      actor: "小龍 O'Brien",
      summary: "小龍 O'Brien signed “TR1”",
      link: `/documents/${documentId}`,
    },
  ]);
});

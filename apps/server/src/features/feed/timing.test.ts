import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countStatements, createTestDatabase } from '@keyturn/testkit';
import { test } from 'vitest';
import { createFileStore } from '../../adapters/files/file-store.ts';
import { checkNewPassword } from '../sign-in/check-new-password.ts';
import { createPasswords } from '../sign-in/passwords.ts';
import { loadDemonstration } from './load-demonstration.ts';
test('timing', async () => {
  for (let i = 0; i < 3; i++) {
  const stored = await createTestDatabase();
  const counted = countStatements(stored.url);
  const t = performance.now();
  const n = await counted.statementsOf(() => loadDemonstration({ database: counted.database, files: createFileStore(mkdtempSync(join(tmpdir(), 'f-'))), clock: () => new Date(), hashPassword: createPasswords().hash, checkPassword: checkNewPassword, folder: 'demo' }));
  console.log('ms', performance.now() - t, 'statements', n);
  await counted.close(); await stored.drop();
  }
});

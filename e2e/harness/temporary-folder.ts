import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** For a test file: a folder of its own, which is gone after its last test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

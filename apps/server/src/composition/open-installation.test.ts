import { createImportDependencies, createTestDatabase, withTestServer } from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../settings/read-settings.ts';
import { buildStaff, startStaffSession } from '../testing/serve-staff.ts';
import { openInstallation } from './open-installation.ts';

/** Opens an installation whose demonstration firm is loaded already. @returns the staff members */
async function staffOf(environment: string, contents: string): Promise<string[]> {
  const stored = await createTestDatabase();
  try {
    await stored.pool.query('update installation set holds = $1, demonstration_complete = true', [contents]);
    const settings = readSettings({ KEYTURN_ENVIRONMENT: environment }, '/');
    const files = {} as Parameters<typeof createImportDependencies>[0]['files'];
    const { database } = stored;
    const dependencies = createImportDependencies({ database, files });
    for (let start = 0; start < 2; start += 1)
      await openInstallation({ settings, projectDirectory: '/', ...dependencies });
    const { rows } = await stored.pool.query(
      `select name || ', ' || role as member from staff order by name`,
    );
    return rows.map(({ member }) => member);
  } finally {
    await stored.drop();
  }
}

test('the demonstration firm gets its staff once, outside production', async () => {
  const members = ['Dana Price, admin', 'Joel Adeyemi, finance', 'Rhian Morgan, handler'];
  expect(await staffOf('local', 'demonstration')).toEqual(members);
  expect(await staffOf('development', 'demonstration')).toEqual(members);
});

test('staff with a public password exist neither in production nor in the installation of a real firm', async () => {
  expect(await staffOf('staging', 'demonstration')).toEqual([]);
  expect(await staffOf('local', 'real')).toEqual([]);
});

describe('a firm’s own installation in the development environment', () => {
  const server = withTestServer({ env: { KEYTURN_ENVIRONMENT: 'development' } });

  test('a firm’s own installation requires a second factor from its staff, unlike the demonstration', async () => {
    const { id } = await buildStaff(server, { role: 'admin', withFactor: false });
    const headers = await startStaffSession(server, id);
    const response = await server.app.inject({ url: '/api/staff/today', headers });
    expect(response.json()).toMatchObject({ code: 'factor_required' });
  });
});

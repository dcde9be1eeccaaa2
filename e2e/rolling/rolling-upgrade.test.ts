import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runLength } from '@keyturn/testkit/run-length.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrations } from '../../apps/server/src/schema/read-migrations.ts';
import { releases } from '../../apps/server/src/schema/releases.ts';
import { expandingMigrations } from '../../apps/server/src/testing/expanding-migrations.ts';
import { runKeyturn } from '../harness/run-keyturn.ts';
import { projectDirectory } from '../harness/start-product.ts';
import { buildNextRelease, buildServerOf } from '../upgrade/build-release.ts';
import { expectNothingLost } from './expect-nothing-lost.ts';
import { type RollingFirm, startFirm } from './start-firm.ts';
import { startLoad } from './start-load.ts';

const clients = 50;
const release = releases.at(-1) ?? { version: 'none', lastMigration: 0, commit: 'none' };
const runs = runLength({ short: false, long: true });

describe.runIf(runs)(`servers of ${release.version}`, () => {
  let built = '';
  let next = '';
  let firm: RollingFirm;
  beforeAll(async () => {
    built = buildServerOf(release.commit);
    next = buildNextRelease();
    const screens = join(projectDirectory, 'packages/testkit/fixture-dashboard');
    const env = { KEYTURN_DASHBOARD_DIR: screens, KEYTURN_DESK_DIR: screens };
    firm = await startFirm({ clients, projectDirectory: built, env });
  }, 600_000);
  afterAll(async () => {
    await firm?.close();
    for (const folder of [built, next]) if (folder) rmSync(folder, { recursive: true, force: true });
  });

  test(`two servers are upgraded one after the other, and ${clients} clients who read, download, pay, sign and listen lose nothing, nor do the desk and the feed`, async () => {
    // Longer pauses than in the test of a restart, because the machine also runs two versions and migrates.
    const load = startLoad(firm, 15_000);
    await load.waitForRound();
    expect(
      await runKeyturn(firm.dataDirectory, ['migrate'], { DATABASE_URL: firm.databaseUrl }, next),
    ).toEqual({
      code: 0,
      output: `Applied ${migrations.length - release.lastMigration + expandingMigrations.length} migrations.\n`,
    });
    await load.waitForRound();
    // Each client has paid at the last release's servers since.
    expect((await firm.pool.query('select from paid_channels')).rowCount).toBeGreaterThanOrEqual(clients);
    await firm.replace(0, next);
    // Both versions serve now.
    await load.waitForRound();
    await firm.replace(1, next);
    await load.waitForRound();
    await load.stop();
    await expectNothingLost(firm, load);
  });
});

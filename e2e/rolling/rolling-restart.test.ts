import { runLength } from '@keyturn/testkit/run-length.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNothingLost } from './expect-nothing-lost.ts';
import { type RollingFirm, startFirm } from './start-firm.ts';
import { startLoad } from './start-load.ts';

const clients = 50;
/** Only in a long run, because starting the servers takes most of a minute of processor time. */
const runs = runLength({ short: false, long: true });

describe.runIf(runs)('two servers behind a proxy', () => {
  let firm: RollingFirm;
  beforeAll(async () => {
    firm = await startFirm({ clients });
  });
  afterAll(async () => {
    await firm?.close();
  });

  test(`two servers are restarted one after the other, and ${clients} clients who read, download, pay, sign and listen lose nothing, nor do the desk and the feed`, async () => {
    const load = startLoad(firm, 2_500);
    await load.waitForRound();
    await firm.replace(0);
    await load.waitForRound();
    await firm.replace(1);
    await load.waitForRound();
    await load.stop();
    await expectNothingLost(firm, load);
    // Each client was connected to a server that stopped, most of them twice.
    const connections = firm.dashboards.map(({ dashboard }) => dashboard.connections());
    expect(Math.min(...connections)).toBeGreaterThan(1);
  });
});

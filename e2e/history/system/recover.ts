import { setTimeout as pause } from 'node:timers/promises';
import type { HistoryEntry } from '../history.ts';
import { recordWithPrice, runUntilKnown } from '../operations/firm-operations.ts';
import type { World } from './start-system.ts';

/** The operator, who restores backups and recovers payments whenever they are paused. */
export interface Recovery {
  restore(how: { withServersDown: boolean }): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The interval, in milliseconds, at which the operator checks whether payments are paused, as an alert would report.
 */
const interval = 500;

export function startRecovery(world: World, record: (entry: HistoryEntry) => void): Recovery {
  let isOver = false;
  let isRestoring = false;
  let failure: unknown;

  const recover = async () => {
    const request = { since: null, dryRun: false, leave: [] };
    const result = await runUntilKnown(world, { name: 'recover', ...request });
    record({ type: 'recovery', exitCode: result?.exitCode ?? null, lines: result?.lines ?? [] });
  };
  const watch = async () => {
    while (!isOver) {
      await pause(interval);
      if (!isRestoring && (await isPaused(world))) await recover();
    }
  };
  const watching = watch().catch((error: unknown) => {
    failure = error;
  });

  return {
    restore: async ({ withServersDown }) => {
      if (!world.database.hasBackup()) return;
      isRestoring = true;
      try {
        if (withServersDown) await Promise.all(world.servers.map((server) => server.kill()));
        record({ type: 'restore' });
        await world.database.restore();
        if (withServersDown) await Promise.all(world.servers.map((server) => server.start()));
        // Clients continue while the operator reads the manual.
        await pause(1_000);
        await importPrices(world);
        await recover();
      } finally {
        isRestoring = false;
      }
    },
    stop: async () => {
      isOver = true;
      await watching;
      if (failure) throw failure;
    },
  };
}

async function isPaused({ pool }: World): Promise<boolean> {
  const found = await pool
    .query('select 1 from payment_continuity where closed_at is not null')
    .catch(() => null);
  return found?.rowCount === 1;
}

/** The firm's case system sends all changes since the backup again. */
async function importPrices(world: World): Promise<void> {
  const { searches, importedPrices } = world;
  const changed = searches.flatMap((search) => {
    const net = importedPrices.get(search.id);
    return net === undefined ? [] : [recordWithPrice(search, net)];
  });
  if (changed.length > 0) await runUntilKnown(world, { name: 'import', searches: changed });
}

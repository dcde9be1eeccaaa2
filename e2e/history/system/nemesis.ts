import { setTimeout as pause } from 'node:timers/promises';
import type { StripeFault } from '@keyturn/testkit/stripe-simulator/start-stripe-simulator.ts';
import type { HistoryEntry } from '../history.ts';
import type { NemesisAction } from '../plan-run.ts';
import { runPeriodicJobs } from './periodic-jobs.ts';
import type { Recovery } from './recover.ts';
import { rollKey } from './roll-key.ts';
import type { World } from './start-system.ts';
import { within } from './within.ts';

/**
 * Injects failures at the same time as operations. It skips processes that are already down; only backups and
 * restores wait until everything is up.
 */
export interface Nemesis {
  start(action: NemesisAction, draw: number): void;
  /** Resolves when everything that the nemesis stopped is running again. */
  finish(): Promise<void>;
}

const minute = 60_000;

export function createNemesis(
  world: World,
  recovery: Recovery,
  record: (entry: HistoryEntry) => void,
): Nemesis {
  const { servers, simulator } = world;
  const underWay = new Map<string, Promise<void>>();
  const failures: unknown[] = [];
  const unlessUnderWay = (names: string[], work: () => Promise<unknown>) => {
    if (names.some((name) => underWay.has(name))) return;
    const done = work()
      .catch((error: unknown) => void failures.push(error))
      .then(() => {
        for (const name of names) underWay.delete(name);
      });
    for (const name of names) underWay.set(name, done);
  };

  const waiting = new Set<Promise<void>>();
  const onceFree = (names: string[], work: () => Promise<unknown>) => {
    const waitAndStart = async () => {
      while (names.some((name) => underWay.has(name))) {
        await Promise.all(names.map(async (name) => underWay.get(name)));
      }
      unlessUnderWay(names, work);
    };
    const wait = waitAndStart().finally(() => waiting.delete(wait));
    waiting.add(wait);
  };

  const killAndStart = async (those: typeof servers, draw: number) => {
    await Promise.all(those.map((server) => server.kill()));
    await pause(draw * 300);
    await Promise.all(those.map((server) => server.start()));
  };
  const jump = (milliseconds: number) => {
    world.jump(milliseconds);
    void runPeriodicJobs(world, milliseconds);
  };

  const actions: Record<NemesisAction, (draw: number) => void> = {
    'kill a server': (draw) => {
      const server = servers[Math.floor(draw * servers.length)];
      if (server) unlessUnderWay(['servers'], () => killAndStart([server], draw));
    },
    'kill both servers': (draw) => unlessUnderWay(['servers'], () => killAndStart(servers, draw)),
    'kill the command': () => unlessUnderWay(['command'], () => world.firm.kill()),
    'restart the database': () => unlessUnderWay(['database'], () => world.database.restart()),
    'back up the database': () => onceFree(['database'], () => world.database.backUp()),
    // An operator stops the servers before a restore, or restores the database while they run.
    'restore the backup': (draw) =>
      onceFree(['database', 'servers'], () => recovery.restore({ withServersDown: draw < 0.5 })),
    'roll the API key': (draw) => unlessUnderWay(['servers'], () => rollKey(world, draw)),
    'break calls to the provider': (draw) => {
      const fault = faults[Math.floor(draw * faults.length)] ?? 503;
      simulator.faults.push(...Array.from({ length: 1 + (Math.floor(draw * 7_919) % 4) }, () => fault));
      // A slow provider makes calls with the same idempotency key overlap.
      simulator.latency = draw < 0.5 ? 0 : Math.floor(draw * 40);
    },
    'jump minutes': (draw) => jump(Math.ceil(draw * 45) * minute),
    'jump hours': (draw) => jump(Math.ceil(1 + draw * 6) * 60 * minute),
    'jump more than a day': () => jump(25 * 60 * minute),
  };

  return {
    start: (action, draw) => {
      record({ type: 'nemesis', did: action });
      actions[action](draw);
    },
    finish: async () => {
      const allDone = Promise.all(waiting).then(() => Promise.all(underWay.values()));
      await within(300, 'Finishing the nemesis', allDone, () => [...underWay.keys()].join(', '));
      if (failures.length > 0) throw failures[0];
      simulator.faults.splice(0);
      simulator.latency = 0;
    },
  };
}

const faults: readonly StripeFault[] = [
  'broken before',
  'broken after',
  'broken after',
  'silent before',
  'silent after',
  'stored 500 before',
  'stored 500 after',
  429,
  409,
  503,
];

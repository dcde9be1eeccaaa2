import { setTimeout as pause } from 'node:timers/promises';
import type { StripeFault } from '@keyturn/testkit/stripe-simulator/start-stripe-simulator.ts';
import type { HistoryEntry } from './history.ts';
import type { NemesisAction } from './plan-run.ts';
import type { World } from './start-system.ts';

/** Injects failures at the same time as operations. It leaves alone what is already down. */
export interface Nemesis {
  start(action: NemesisAction, draw: number): void;
  /** Resolves when everything it stopped is running again. */
  finish(): Promise<void>;
}

const minute = 60_000;

export function createNemesis(world: World, tell: (entry: HistoryEntry) => void): Nemesis {
  const { servers, simulator } = world;
  const underWay = new Map<string, Promise<void>>();
  const unlessUnderWay = (name: string, work: () => Promise<void>) => {
    if (underWay.has(name)) return;
    const done = work().finally(() => underWay.delete(name));
    underWay.set(name, done);
  };

  /** Each starts where the last one ends, and none runs after `finish`. */
  let jumps = Promise.resolve();
  const jump = (milliseconds: number) => {
    jumps = jumps.then(() => world.jump(milliseconds));
  };

  const killAndStart = async (those: typeof servers, draw: number) => {
    await Promise.all(those.map((server) => server.kill()));
    await pause(draw * 300);
    await Promise.all(those.map((server) => server.start()));
  };

  const actions: Record<NemesisAction, (draw: number) => void> = {
    'kill a server': (draw) => {
      const server = servers[Math.floor(draw * servers.length)];
      if (server) unlessUnderWay('servers', () => killAndStart([server], draw));
    },
    'kill both servers': (draw) => unlessUnderWay('servers', () => killAndStart(servers, draw)),
    'restart the database': () => unlessUnderWay('database', () => world.restartDatabase()),
    'break calls to the provider': (draw) => {
      const fault = faults[Math.floor(draw * faults.length)] ?? 503;
      simulator.faults.push(...Array.from({ length: 1 + (Math.floor(draw * 7_919) % 4) }, () => fault));
      // A slow provider makes calls with the same idempotency key overlap.
      simulator.latency = draw < 0.5 ? 0 : Math.floor(draw * 40);
    },
    'jump minutes': (draw) => jump(Math.ceil(draw * 45) * minute),
    'jump hours': (draw) => jump(Math.ceil(1 + draw * 6) * 60 * minute),
    'jump more than a day': () => jump(25 * 60 * minute),
    'give money back': (draw) => {
      const paid = simulator.charges.all().filter(({ paid, refunded }) => paid && !refunded);
      const charge = paid[Math.floor(draw * paid.length)];
      if (charge) simulator.intents.refund(charge.payment_intent, draw < 0.7 ? 100 : undefined);
    },
  };

  return {
    start: (action, draw) => {
      tell({ type: 'nemesis', did: action });
      actions[action](draw);
    },
    finish: async () => {
      await Promise.all([...underWay.values(), jumps]);
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

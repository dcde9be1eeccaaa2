import type { OperationKind } from './history.ts';

export interface PlannedRun {
  /** The operations of each client, in order. */
  clients: PlannedOperation[][];
  /** The nemesis's actions, each after a number of operations. */
  nemesis: { after: number; action: NemesisAction; draw: number }[];
  /** What each client does after the nemesis has finished, until the payment at the end of it succeeds. */
  quiet: PlannedOperation[];
}

export interface PlannedOperation {
  kind: Exclude<OperationKind, 'sign in'>;
  /** A number from 0 to 1 for all choices of the operation. */
  draws: number[];
}

export type NemesisAction =
  | 'kill a server'
  | 'kill both servers'
  | 'restart the database'
  | 'break calls to the provider'
  | 'jump minutes'
  | 'jump hours'
  | 'jump more than a day'
  | 'give money back';

/** Plans a run; the same seed gives the same plan. */
export function planRun(run: { seed: number; operations: number; clients: number }): PlannedRun {
  const random = seededRandom(run.seed);
  const draws = () => Array.from({ length: 6 }, random);
  const clients = Array.from({ length: run.clients }, (_, client) =>
    Array.from({ length: Math.ceil((run.operations - client) / run.clients) }, () => ({
      kind: pick(kinds, random()),
      draws: draws(),
    })),
  );
  const nemesis: PlannedRun['nemesis'] = [];
  for (
    let after = 10;
    after < run.operations * 0.97;
    after += 5 + Math.floor(random() * everyOperations * 2)
  ) {
    nemesis.push({ after, action: pick(actions, random()), draw: random() });
  }
  return { clients, nemesis, quiet: quietPayment };
}

/** Plans a run in which every client pays for the same searches in the same order, without failures. */
export function planRush(run: { clients: number; searches: number }): PlannedRun {
  const operations = Array.from({ length: run.searches }, (_, search): PlannedOperation[] => [
    { kind: 'start search payment', draws: [(search + 0.5) / run.searches, 0, 0.5, 0, 0, 0] },
    { kind: 'pay', draws: [0, 0, 0.5, 0, 0, 0] },
  ]).flat();
  return { clients: Array.from({ length: run.clients }, () => operations), nemesis: [], quiet: [] };
}

/**
 * A payment that nothing disturbs: another payment, because the searches may all be paid by then, with a card that the
 * bank accepts.
 */
const quietPayment: PlannedOperation[] = [
  { kind: 'start other payment', draws: [0.5, 0, 0.5, 0, 0, 0] },
  { kind: 'pay', draws: [0, 0, 0.5, 0, 0, 0] },
];

/** Average number of operations between two actions of the nemesis. */
const everyOperations = 20;

const kinds: readonly (readonly [PlannedOperation['kind'], number])[] = [
  ['start search payment', 24],
  ['pay', 26],
  ['retry', 9],
  ['start other payment', 9],
  ['answer the bank', 7],
  ['cancel', 5],
  ['list payments', 6],
  ['look at a payment', 7],
  ['list searches', 3],
  ['change case', 3],
  ['sign out', 1],
];

const actions: readonly (readonly [NemesisAction, number])[] = [
  ['kill a server', 22],
  ['kill both servers', 4],
  ['restart the database', 8],
  ['break calls to the provider', 38],
  ['jump minutes', 12],
  ['jump hours', 6],
  ['jump more than a day', 2],
  ['give money back', 8],
];

function pick<Thing>(things: readonly (readonly [Thing, number])[], draw: number): Thing {
  let left = draw * things.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [thing, weight] of things) {
    left -= weight;
    if (left < 0) return thing;
  }
  return (things.at(-1) as readonly [Thing, number])[0];
}

/** Creates a Mulberry32 generator of numbers from 0 to 1, the same on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

import type { OperationKind } from './history.ts';

export interface PlannedRun {
  /** The operations of each client, in order. */
  clients: PlannedOperation[][];
  /** The operations of the firm's staff, evenly spread over the run. */
  firm: PlannedOperation[];
  /** The operations of the payers' banks, evenly spread over the run. */
  bank: PlannedOperation[];
  /** The nemesis's actions, each after a number of operations. */
  nemesis: { after: number; action: NemesisAction; draw: number }[];
  /**
   * The operations of each client after the nemesis has finished. They are repeated until the final payment succeeds.
   */
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
  | 'kill the command'
  | 'restart the database'
  | 'back up the database'
  | 'restore the backup'
  | 'roll the API key'
  | 'break calls to the provider'
  | 'jump minutes'
  | 'jump hours'
  | 'jump more than a day';

/** Plans a run; the same seed gives the same plan. */
export function planRun(run: { seed: number; operations: number; clients: number }): PlannedRun {
  const random = seededRandom(run.seed);
  const planned = (count: number, kinds: typeof clientKinds) =>
    Array.from({ length: count }, () => ({
      kind: pick(kinds, random()),
      draws: Array.from({ length: 6 }, random),
    }));
  const ofFirm = Math.floor(run.operations * shareOfFirm);
  const ofBank = Math.floor(run.operations * shareOfBank);
  const ofClients = run.operations - ofFirm - ofBank;
  const clients = Array.from({ length: run.clients }, (_, client) =>
    planned(Math.ceil((ofClients - client) / run.clients), clientKinds),
  );
  return {
    clients,
    firm: planned(ofFirm, firmKinds),
    bank: planned(ofBank, bankKinds),
    nemesis: planNemesis(run.operations, random),
    quiet: quietPayment,
  };
}

/** Every run restores a backup once, however short it is. */
function planNemesis(operations: number, random: () => number): PlannedRun['nemesis'] {
  const nemesis: PlannedRun['nemesis'] = [
    { after: Math.floor(operations * 0.3), action: 'back up the database', draw: random() },
    { after: Math.floor(operations * 0.7), action: 'restore the backup', draw: random() },
  ];
  for (let after = 10; after < operations * 0.97; after += 5 + Math.floor(random() * everyOperations * 2)) {
    nemesis.push({ after, action: pick(actions, random()), draw: random() });
  }
  return nemesis.sort((one, other) => one.after - other.after);
}

/** Plans a run in which every client pays for the same searches in the same order, without failures. */
export function planRush(run: { clients: number; searches: number }): PlannedRun {
  const operations = Array.from({ length: run.searches }, (_, search): PlannedOperation[] => [
    { kind: 'start search payment', draws: [(search + 0.5) / run.searches, 0, 0.5, 0, 0, 0] },
    { kind: 'pay', draws: [0, 0, 0.5, 0, 0.9, 0] },
  ]).flat();
  return {
    clients: Array.from({ length: run.clients }, () => operations),
    firm: [],
    bank: [],
    nemesis: [],
    quiet: [],
  };
}

/**
 * A payment that must succeed: not for a search, because all of them may be paid by then, and with a card that the
 * bank accepts.
 */
const quietPayment: PlannedOperation[] = [
  { kind: 'start other payment', draws: [0.5, 0, 0.5, 0, 0, 0] },
  { kind: 'pay', draws: [0, 0, 0.5, 0, 0, 0] },
];

/** Average number of operations between two actions of the nemesis. */
const everyOperations = 20;

/** The shares of all operations that the firm and the banks perform. */
const shareOfFirm = 0.12;
const shareOfBank = 0.08;

const clientKinds: readonly (readonly [PlannedOperation['kind'], number])[] = [
  ['start search payment', 19],
  ['start search payment by bank', 9],
  ['pay', 20],
  ['open the bank page', 16],
  ['approve at the bank', 18],
  ['refuse at the bank', 4],
  ['retry', 8],
  ['start other payment', 6],
  ['start other payment by bank', 6],
  ['answer the bank', 6],
  ['cancel', 5],
  ['list payments', 6],
  ['read a payment', 7],
  ['list searches', 3],
  ['change case', 3],
  ['sign out', 1],
];

const firmKinds: typeof clientKinds = [
  ['refund', 60],
  ['decide on a refund', 40],
  ['refund at the provider', 20],
  ['change a price', 20],
  ['open a review', 8],
  ['close a review', 8],
];

const bankKinds: typeof clientKinds = [
  ['settle a refund', 25],
  ['return a refund', 10],
  ['open a dispute', 25],
  ['move a dispute', 30],
  ['warn of fraud', 10],
];

const actions: readonly (readonly [NemesisAction, number])[] = [
  ['kill a server', 20],
  ['kill both servers', 4],
  ['kill the command', 6],
  ['restart the database', 7],
  ['break calls to the provider', 38],
  ['jump minutes', 12],
  ['jump hours', 6],
  ['jump more than a day', 2],
  ['back up the database', 2],
  ['restore the backup', 2],
  ['roll the API key', 1],
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

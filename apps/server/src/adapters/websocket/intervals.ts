/** What the channel server does when. Milliseconds, where nothing else is said. */
export interface Pace {
  livenessEvery: number;
  sessionsEvery: number;
  /** Between two words to the other servers, and the silence after which one of them is taken for dead. */
  aliveEvery: number;
  lostAfter: number;
  /** Who does not close in turn is not waited for longer. */
  closeWithin: number;
  /** A connection that listens to nothing and belongs to no sign-in is sent away after this time. */
  uselessAfter: number;
  /** So is one that listens to what only a sign-in opens, while nobody has said which: it would outlive it. */
  unknownAfter: number;
  /** Connections that are sent away together, and the pause until the next ones are. */
  stepSize: number;
  stepEvery: number;
  /** Between two times at which everybody is asked to come back. */
  renewalsApart: number;
  /** In which all connections are sent away before the server stops; main.ts gives all of its stopping ten seconds. */
  drainWithin: number;
  /** Bytes that may wait for a client that does not take them. */
  mostBuffered: number;
}

export const usualPace: Pace = {
  livenessEvery: 5_000,
  sessionsEvery: 500,
  aliveEvery: 10_000,
  lostAfter: 35_000,
  closeWithin: 1_000,
  uselessAfter: 60_000,
  unknownAfter: 900_000,
  stepSize: 100,
  stepEvery: 200,
  renewalsApart: 30_000,
  drainWithin: 5_000,
  mostBuffered: 256 * 1024,
};

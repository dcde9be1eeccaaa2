import type pg from 'pg';
import type { AlertOperator } from '../../platform/alert-operator.ts';
import type { Clock } from '../../platform/clock.ts';
import { limitAlerts } from '../../platform/limit-alerts.ts';
import { repeat } from '../../platform/repeat.ts';

/** Compares the clocks of this server and of its database. */
export interface ClockWatch {
  /**
   * The clock of this server, or the database's if this server is between five seconds and 15 minutes behind, so that
   * sessions and links do not last longer. A larger difference may be a fault of the database's clock, which must not end
   * the access of everyone.
   */
  laterClock: Clock;
  /** Describes how this server's clock differs from the database's; null if they agree. */
  problem(): string | null;
  /** Compares the clocks once, and alerts the operator if they differ. */
  compare(): Promise<void>;
  /**
   * Compares the clocks before a deletion that depends on the time, and alerts the operator if they differ.
   * @param deletion for the alert, such as "the removal of unused files"
   */
  allowsDeletion(deletion: string): Promise<boolean>;
  /** Compares them now, and then every minute. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface ClockWatchOptions {
  pool: Pick<pg.Pool, 'query'>;
  /** The clock of this server. */
  clock: Clock;
  alertOperator: AlertOperator;
  onError(error: unknown): void;
  /** Returns the time of this server in milliseconds, as its operating system knows it. */
  now?: () => number;
  /** Returns milliseconds of a clock that is never set. */
  elapsed?: () => number;
}

/** Milliseconds. */
const maxSkew = 5_000;
const maxCorrection = 15 * 60_000;
const compareEvery = 60_000;

/** Creates a watch that alerts the operator when the clocks differ by more than five seconds: at once, then once an hour. */
export function watchClocks(options: ClockWatchOptions): ClockWatch {
  const { pool, clock, alertOperator, onError, now = Date.now, elapsed = () => performance.now() } = options;
  const alert = limitAlerts(alertOperator, () => new Date(performance.now()));
  let skew = 0;
  let compared: { databaseTime: number; at: number } | null = null;
  const problem = () => (Math.abs(skew) > maxSkew ? describeSkew(skew) : null);

  const compare = async () => {
    const askedAt = now();
    const { rows } = await pool.query<{ now: string }>(
      'select extract(epoch from clock_timestamp()) * 1000 as now',
    );
    const databaseTime = Number(rows[0]?.now);
    compared = { databaseTime, at: elapsed() };
    skew = skewBetween(databaseTime, askedAt, now());
    const found = problem();
    if (found) alert('clock', found, { seconds: Math.round(skew / 1_000) });
  };
  const repeated = repeat({ interval: compareEvery, work: compare, onError });
  return {
    // Not the difference of the last comparison, because this server's clock may have been corrected since.
    laterClock: () => {
      const behind = compared ? compared.databaseTime + elapsed() - compared.at - now() : 0;
      return new Date(clock().getTime() + (behind > maxSkew && behind <= maxCorrection ? behind : 0));
    },
    problem,
    compare,
    allowsDeletion: async (deletion) => {
      await compare();
      const found = problem();
      if (found) alert(deletion, `${deletion} did not run: ${found}`, { seconds: Math.round(skew / 1_000) });
      return found === null;
    },
    start: async () => {
      await compare().catch(onError);
      repeated.start();
    },
    stop: repeated.stop,
  };
}

/**
 * Returns the milliseconds by which this server is ahead of the database, or the negative ones by which it is behind. The
 * database read its clock at some time between the question and the answer, which must not count as a difference.
 */
function skewBetween(databaseNow: number, askedAt: number, answeredAt: number): number {
  return askedAt > databaseNow ? askedAt - databaseNow : Math.min(0, answeredAt - databaseNow);
}

function describeSkew(skew: number): string {
  const seconds = Math.round(Math.abs(skew) / 1_000);
  return `the clock of this server is ${seconds} seconds ${skew > 0 ? 'ahead of' : 'behind'} the database’s: synchronise both, for example with NTP`;
}

import { type SQL, sql } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Connection, Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { deleteExpiredRows } from '../../schema/tables/delete-expired-rows.ts';
import { loginFailures } from '../../schema/tables/tables.ts';
import type { Lane, LaneName } from './attempt-lanes.ts';
import { createKeyedQueue, trackInFlight } from './attempts-in-flight.ts';

/**
 * Limits guessing to the lanes of an attempt, across all servers on the database. Within a lane, failures in the last
 * minute are limited, and failures in the last 24 hours cause growing delays.
 *
 * An attempt counts as a failure from before its password is checked until it has succeeded, so that concurrent
 * attempts cannot exceed the limit. An attempt that finds the limit reached by attempts in flight on this server
 * waits for them: thirty concurrent correct passwords from one office all succeed.
 */
export interface LoginThrottle {
  /** @throws DomainError `too_many_login_attempts` with the seconds until the next attempt may be made */
  admit(lanes: readonly Lane[]): Promise<LoginAttempt>;
}

/** An admitted attempt. Exactly one of its functions must be called, once. */
export interface LoginAttempt {
  /** Clears the failures of lanes that end with a success; other failures of the address remain. */
  succeeded(): Promise<void>;
  /** @returns each lane’s failures in the last 24 hours, with this one */
  failed(): FailureCounts;
  /** Removes the attempt, because the password was never checked. */
  withdrawn(): Promise<void>;
  /** Removes the attempt if the work fails. Otherwise one of the other functions must still be called. */
  withdrawnIfFails<Result>(work: Promise<Result>): Promise<Result>;
}

export type FailureCounts = Partial<Record<LaneName, number>>;

/** Milliseconds. */
const window = 60_000;
const memory = 86_400_000;

export function createLoginThrottle({
  database,
  clock,
}: {
  database: Database;
  clock: Clock;
}): LoginThrottle {
  const queue = createKeyedQueue();
  const inFlight = trackInFlight();
  let sweptAt = Number.NEGATIVE_INFINITY;

  return {
    admit: async (lanes) => {
      await deleteExpiredFailures();
      for (;;) {
        const { attempt, before } = await queue.run(namesOf(lanes), () => tryToReserve(lanes));
        if (attempt) return attempt;
        await before;
      }
    },
  };

  /** Runs exclusively on this server for these lanes: attempts in flight may end meanwhile, but no new one starts. */
  async function tryToReserve(
    lanes: readonly Lane[],
  ): Promise<{ attempt?: LoginAttempt; before?: Promise<void> }> {
    const inFlightBefore = new Map(lanes.map((lane) => [lane, inFlight.nextSettled(nameOf(lane))]));
    const reserved = await reserve(database, lanes, clock());
    if ('ids' in reserved) return { attempt: startAttempt(lanes, reserved) };
    const settlements = reserved.full.flatMap(({ lane }) => inFlightBefore.get(lane) ?? []);
    if (settlements.length < reserved.full.length) throw tooManyAttempts(reserved.full);
    return { before: Promise.race(settlements) };
  }

  function startAttempt(lanes: readonly Lane[], { ids, failures }: Reservation): LoginAttempt {
    const end = inFlight.track(namesOf(lanes));
    const deleteFailures = async (rows: SQL) => {
      try {
        await database.execute(sql`delete from login_failures where ${rows}`);
      } finally {
        end();
      }
    };
    const own = sql`id = any(${sql.param(ids)}::bigint[])`;
    const ended = lanes.filter(({ endsWithSuccess }) => endsWithSuccess).map(({ subject }) => subject);
    return {
      succeeded: () => deleteFailures(sql`subject = any(${sql.param(ended)}::bytea[]) or ${own}`),
      failed: () => {
        end();
        return failures;
      },
      withdrawn: () => deleteFailures(own),
      withdrawnIfFails: (work) =>
        work.catch(async (error: unknown) => {
          await deleteFailures(own);
          throw error;
        }),
    };
  }

  /** Deletes the oldest failures first, in batches, at most once a minute. */
  async function deleteExpiredFailures() {
    const now = clock().getTime();
    if (Math.abs(now - sweptAt) < window) return;
    sweptAt = now;
    await deleteExpiredRows(
      database,
      { table: loginFailures, age: loginFailures.failedAt },
      new Date(now - memory),
      { maxBatches: 10 },
    );
  }
}

/** The rows that count an attempt, and the failures of its lanes with it. */
interface Reservation {
  ids: number[];
  failures: FailureCounts;
}

/** A lane that admits no attempt now. */
interface FullLane {
  lane: Lane;
  /** Milliseconds. */
  wait: number;
}

async function reserve(
  database: Database,
  lanes: readonly Lane[],
  now: Date,
): Promise<Reservation | { full: FullLane[] }> {
  // A flood of rejected attempts takes no locks.
  const alreadyFull = fullLanes(await readLanes(database, lanes, now), now);
  if (alreadyFull.length > 0) return { full: alreadyFull };
  return runTransaction(database, async (transaction) => {
    // Counting and inserting is exclusive across servers. All lock in the same order, which prevents deadlocks.
    for (const subject of lanes.map((lane) => lane.subject).sort(Buffer.compare)) {
      await transaction.execute(
        sql`select pg_advisory_xact_lock(${subject.readInt32BE(0)}, ${subject.readInt32BE(4)})`,
      );
    }
    const states = await readLanes(transaction, lanes, now);
    const full = fullLanes(states, now);
    if (full.length > 0) return { full };
    const { rows } = await transaction.execute<{ id: string }>(sql`
      insert into login_failures (subject, failed_at)
      select subject, ${now}::timestamptz
      from unnest(${sql.param(lanes.map(({ subject }) => subject))}::bytea[]) as subject
      returning id`);
    return {
      ids: rows.map((row) => Number(row.id)),
      failures: Object.fromEntries(states.map(({ lane, failures }) => [lane.name, failures + 1])),
    };
  });
}

interface LaneState {
  lane: Lane;
  /** In the last 24 hours. */
  failures: number;
  /**
   * The times of the newest failure, and of the one that must leave the window of a minute, in milliseconds; null if
   * there is none.
   */
  newest: number | null;
  decisive: number | null;
}

async function readLanes(connection: Connection, lanes: readonly Lane[], now: Date): Promise<LaneState[]> {
  const since = new Date(now.getTime() - memory);
  const milliseconds = (value: SQL) => sql`extract(epoch from ${value}) * 1000`;
  const counts = lanes.map(
    ({ subject, limits }, index) => sql`
      select ${index}::int as lane, count(*)::int as failures, ${milliseconds(sql`max(failed_at)`)} as newest,
        ${milliseconds(sql`(array_agg(failed_at order by failed_at desc))[${limits.perMinute}::int]`)} as decisive
      from login_failures where subject = ${subject} and failed_at > ${since}`,
  );
  const { rows } = await connection.execute<Record<'newest' | 'decisive', string | null> & CountedLane>(
    sql.join(counts, sql` union all `),
  );
  const numberOf = (value: string | null) => (value === null ? null : Number(value));
  return rows.flatMap(({ lane: index, failures, newest, decisive }) => {
    const lane = lanes[index];
    return lane ? [{ lane, failures, newest: numberOf(newest), decisive: numberOf(decisive) }] : [];
  });
}

interface CountedLane extends Record<string, unknown> {
  lane: number;
  failures: number;
}

function fullLanes(states: LaneState[], now: Date): FullLane[] {
  return states.flatMap(({ lane, failures, newest, decisive }) => {
    const delay = (lane.limits.delays.findLast((step) => failures >= step.failures)?.seconds ?? 0) * 1_000;
    const wait = Math.max(remaining(decisive, window, now), remaining(newest, delay, now));
    return wait > 0 ? [{ lane, wait }] : [];
  });
}

/**
 * Returns how much of a wait is left. Another server’s clock may be ahead, so it is never longer than the wait itself.
 */
const remaining = (startedAt: number | null, length: number, now: Date) =>
  startedAt === null ? 0 : Math.min(startedAt + length - now.getTime(), length);

function tooManyAttempts(full: FullLane[]): DomainError {
  const seconds = Math.max(Math.ceil(Math.max(...full.map(({ wait }) => wait)) / 1_000), 1);
  return new DomainError('too_many_login_attempts', {
    message: `Too many login attempts. Please try again in ${seconds} seconds.`,
    retryAfter: seconds,
  });
}

const nameOf = ({ subject }: Lane) => subject.toString('hex');
const namesOf = (lanes: readonly Lane[]) => lanes.map(nameOf);

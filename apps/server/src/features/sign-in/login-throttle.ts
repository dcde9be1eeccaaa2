import { createHash } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Connection, Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { throttledAddress } from '../../platform/throttled-address.ts';
import { createKeyedQueue, trackInFlight } from './attempts-in-flight.ts';

/**
 * Limits password guessing to 5 failures a minute per email and 20 per address, across all servers on the database.
 *
 * An attempt counts as a failure from before its password is checked until it has succeeded, so that concurrent attempts
 * cannot exceed the limit. An attempt that finds the limit reached by attempts in flight on this server waits for them:
 * thirty correct passwords at once from one office all succeed.
 */
export interface LoginThrottle {
  /**
   * @param email in its lookup form, trimmed and lower-case
   * @throws DomainError `too_many_login_attempts` with the seconds until the next attempt may be made
   */
  admit(email: string, address: string): Promise<LoginAttempt>;
}

/** An admitted attempt. Exactly one of its functions must be called, once. */
export interface LoginAttempt {
  /** Clears the email's failures; other failures of the address remain. */
  succeeded(): Promise<void>;
  failed(): void;
  /** Removes the attempt, because the password was never checked. */
  withdrawn(): Promise<void>;
}

/** Milliseconds. */
const window = 60_000;
const maxFailures = { email: 5, address: 20 };

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
    admit: async (email, address) => {
      const subjects: Subjects = {
        email: hashOf(`email ${email}`),
        address: hashOf(`address ${throttledAddress(address)}`),
      };
      await deleteExpiredFailures();
      for (;;) {
        const { attempt, before } = await queue.run(namesOf(subjects), () => tryToReserve(subjects));
        if (attempt) return attempt;
        await before;
      }
    },
  };

  /** Runs exclusively on this server for these subjects: attempts in flight may end meanwhile, but none starts. */
  async function tryToReserve(
    subjects: Subjects,
  ): Promise<{ attempt?: LoginAttempt; before?: Promise<void> }> {
    const inFlightFor = {
      email: inFlight.nextSettled(nameOf(subjects.email)),
      address: inFlight.nextSettled(nameOf(subjects.address)),
    };
    const now = clock();
    const reserved = await reserve(database, subjects, now);
    if ('ids' in reserved) return { attempt: startAttempt(reserved.ids, subjects) };
    const settlements = reserved.full.flatMap(({ subject }) => inFlightFor[subject] ?? []);
    if (settlements.length < reserved.full.length) throw tooManyAttempts(reserved.full, now);
    return { before: Promise.race(settlements) };
  }

  function startAttempt(ids: number[], subjects: Subjects): LoginAttempt {
    const end = inFlight.track(namesOf(subjects));
    const deleteFailures = async (rows: SQL) => {
      try {
        await database.execute(sql`delete from login_failures where ${rows}`);
      } finally {
        end();
      }
    };
    const own = sql`id = any(${sql.param(ids)}::bigint[])`;
    return {
      succeeded: () => deleteFailures(sql`subject = ${subjects.email} or ${own}`),
      failed: end,
      withdrawn: () => deleteFailures(own),
    };
  }

  /** Deletes the oldest failures first, in batches, at most once a minute. */
  async function deleteExpiredFailures() {
    const now = clock().getTime();
    if (Math.abs(now - sweptAt) < window) return;
    sweptAt = now;
    await database.execute(sql`
      delete from login_failures where id in (
        select id from login_failures where failed_at <= ${new Date(now - window)}
        order by id limit 1000 for update skip locked)`);
  }
}

/** SHA-256 of the email and address that failures are counted for. */
interface Subjects {
  email: Buffer;
  address: Buffer;
}

/** A subject that has reached its limit, and when its next attempt is allowed. */
interface FullSubject {
  subject: keyof Subjects;
  freeAt: number;
}

/** The rows reserved for the attempt, or the subjects that have reached their limit. */
type Reserved = { ids: number[] } | { full: FullSubject[] };

async function reserve(database: Database, subjects: Subjects, now: Date): Promise<Reserved> {
  // A flood of rejected attempts takes no locks.
  const alreadyFull = await fullSubjects(database, subjects, now);
  if (alreadyFull.length > 0) return { full: alreadyFull };
  return database.transaction(async (transaction) => {
    // Counting and inserting is exclusive across servers. All lock in the same order, which prevents deadlocks.
    for (const subject of [subjects.email, subjects.address].sort(Buffer.compare)) {
      await transaction.execute(
        sql`select pg_advisory_xact_lock(${subject.readInt32BE(0)}, ${subject.readInt32BE(4)})`,
      );
    }
    const full = await fullSubjects(transaction, subjects, now);
    if (full.length > 0) return { full };
    const { rows } = await transaction.execute<{ id: string }>(sql`
      insert into login_failures (subject, failed_at)
      values (${subjects.email}, ${now}), (${subjects.address}, ${now})
      returning id`);
    return { ids: rows.map((row) => Number(row.id)) };
  });
}

async function fullSubjects(connection: Connection, subjects: Subjects, now: Date): Promise<FullSubject[]> {
  const since = new Date(now.getTime() - window);
  // The failure that must leave the window before another attempt is allowed.
  const decisive = (subject: keyof Subjects) => sql`
    (select ${subject}::text as subject, extract(epoch from failed_at) * 1000 as failed_at
      from login_failures where subject = ${subjects[subject]} and failed_at > ${since}
      order by login_failures.failed_at desc offset ${maxFailures[subject] - 1} limit 1)`;
  const { rows } = await connection.execute<{ subject: keyof Subjects; failed_at: string }>(
    sql`${decisive('email')} union all ${decisive('address')}`,
  );
  return rows.map((row) => ({ subject: row.subject, freeAt: Number(row.failed_at) + window }));
}

function tooManyAttempts(full: FullSubject[], now: Date): DomainError {
  const milliseconds = Math.max(...full.map(({ freeAt }) => freeAt)) - now.getTime();
  // Another server's clock may be ahead; no one waits longer than the window.
  const seconds = Math.min(Math.max(Math.ceil(milliseconds / 1000), 1), window / 1000);
  return new DomainError('too_many_login_attempts', {
    message: `Too many login attempts. Please try again in ${seconds} seconds.`,
    retryAfter: seconds,
  });
}

const hashOf = (text: string) => createHash('sha256').update(text).digest();
const nameOf = (subject: Buffer) => subject.toString('hex');
const namesOf = (subjects: Subjects) => [nameOf(subjects.email), nameOf(subjects.address)];

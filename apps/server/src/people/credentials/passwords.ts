import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { hash, verify } from '@node-rs/argon2';
import { DomainError } from '../../platform/domain-error.ts';
import { findWeakness, type Weakness } from './find-weakness.ts';

/** Hashes and checks passwords with bounded concurrency, so that a flood of them cannot exhaust processor or memory. */
export interface Passwords {
  /** @returns the password's argon2id hash in PHC form, for the database */
  hash(password: string): Promise<string>;
  /**
   * Compares a password with a hash. It takes the same time without a hash.
   * @param passwordHash null when no client has this email, or the client has no password yet
   */
  matches(password: string, passwordHash: string | null): Promise<boolean>;
  /**
   * Tells why a new password is easy to guess; null if it is not.
   * @param personal what others know about its owner: email address, name, case references
   */
  findWeakness(password: string, personal: readonly string[]): Promise<Weakness | null>;
}

/** Maximum password length in Unicode code points. */
export const maxPasswordLength = 128;

export interface PasswordLimits {
  /** The number of concurrent hashes. Each uses one of Node's four worker threads and 19 MiB for about 20 ms. */
  concurrency?: number;
  /** Hashes, and new passwords, that may wait in their queue; further callers get `unavailable`. */
  maxQueued?: number;
  /**
   * The built `weakness-worker.ts`. Without it, new passwords are checked in this thread, as in commands and in tests that
   * run from the sources.
   */
  weaknessWorker?: URL;
}

/**
 * Creates the password hasher of a server.
 * @throws DomainError `unavailable` from each function when its queue is full
 */
export function createPasswords(limits: PasswordLimits = {}): Passwords {
  // At least one worker thread stays free for file access and DNS lookups.
  const maxQueued = limits.maxQueued ?? 100;
  const enqueue = createQueue(limits.concurrency ?? Math.min(availableParallelism(), 3), maxQueued);
  const enqueueCheck = createQueue(1, maxQueued);
  const find = limits.weaknessWorker ? createWeaknessThread(limits.weaknessWorker) : findWeakness;
  const placeholderHash = hashPassword('the password of no client');
  // A failure surfaces where the hash is awaited; it must not end the process before.
  placeholderHash.catch(() => {});
  return {
    hash: (password) => enqueue(() => hashPassword(password)),
    matches: async (password, passwordHash) => {
      const tooLong = isTooLong(password);
      const known = passwordHash !== null && !tooLong;
      const against = known ? passwordHash : await placeholderHash;
      const same = await enqueue(() => verify(against, tooLong ? '' : normalise(password)));
      return same && known;
    },
    findWeakness: (password, personal) => enqueueCheck(async () => find(password, personal)),
  };
}

/** Milliseconds for one password, of which 64 characters need a tenth of a second. */
const maxCheckTime = 10_000;

/** Starts the thread on first use, and again after it has failed. It checks one password at a time. */
function createWeaknessThread(script: URL) {
  let running: Worker | undefined;
  return async (password: string, personal: readonly string[]): Promise<Weakness | null> => {
    running ??= new Worker(script)
      .on('error', () => {})
      .on('exit', () => {
        running = undefined;
      });
    const thread = running;
    thread.ref();
    thread.postMessage({ password, personal });
    const ended = new AbortController();
    try {
      const [weakness] = await Promise.race([
        once(thread, 'message', { signal: ended.signal }),
        once(thread, 'exit', ended).then(() =>
          Promise.reject(new DomainError('unavailable', { retryAfter: 2 })),
        ),
        wait(maxCheckTime, undefined, { signal: ended.signal }).then(() =>
          Promise.reject(new DomainError('unavailable', { retryAfter: 2 })),
        ),
      ]);
      thread.unref();
      return weakness;
    } catch (error) {
      await thread.terminate();
      throw error;
    } finally {
      ended.abort();
    }
  };
}

/**
 * Computes an argon2id hash without queueing, for commands and one-off data. Servers use `createPasswords`.
 */
export const hashPassword = (password: string): Promise<string> => hash(normalise(password), parameters);

/** The package's enum is not available at run time; the value is defined in RFC 9106, section 3.1. */
const argon2id = 2;

/** From the OWASP Password Storage Cheat Sheet: the second of its equivalent settings for argon2id. */
const parameters = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Keyboards produce é as one code point or as two. */
const normalise = (password: string) => password.normalize('NFC');

/** Rejects by code units first, so that a megabyte is not counted code point by code point. */
export function isTooLong(password: string): boolean {
  return password.length > 2 * maxPasswordLength || [...password].length > maxPasswordLength;
}

function createQueue(atOnce: number, maxQueued: number) {
  let running = 0;
  const queue: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < atOnce) running++;
    else if (queue.length >= maxQueued) throw new DomainError('unavailable', { retryAfter: 2 });
    else await new Promise<void>((start) => queue.push(start));
    try {
      return await work();
    } finally {
      // The slot goes directly to the next waiting caller, so that no new caller can take it.
      const next = queue.shift();
      if (next) next();
      else running--;
    }
  };
}

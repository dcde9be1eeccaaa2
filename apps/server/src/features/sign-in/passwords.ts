import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { DomainError } from '../../platform/domain-error.ts';

/** Hashes and checks passwords without letting a flood of them take the processor or the memory. */
export interface Passwords {
  /** @returns the password's argon2id hash in PHC form, for the database */
  hash(password: string): Promise<string>;
  /**
   * Whether the password is the one that was hashed. It takes the same time where there is no hash.
   * @param passwordHash null: nobody has this email, or the client has no password yet
   */
  matches(password: string, passwordHash: string | null): Promise<boolean>;
}

/** The most that a password may have, in characters as people count them. */
export const longestPassword = 128;

export interface PasswordLimits {
  /** Hashes at a time. Each keeps one of Node's four worker threads, and 19 MiB, for some 20 ms. */
  atOnce?: number;
  /** Hashes that may wait for their turn; beyond it callers are told to come back. */
  waiting?: number;
}

/** @throws DomainError `unavailable` from either function when too many wait already */
export function createPasswords(limits: PasswordLimits = {}): Passwords {
  // At least one worker thread stays free for files and name look-ups.
  const inTurn = createQueue(limits.atOnce ?? Math.min(availableParallelism(), 3), limits.waiting ?? 100);
  const nobodysHash = hashPassword('the password of nobody at all');
  // Whoever awaits it learns of a failure; it must not end the process before.
  nobodysHash.catch(() => {});
  return {
    hash: (password) => inTurn(() => hashPassword(password)),
    matches: async (password, passwordHash) => {
      const tooLong = isTooLong(password);
      const known = passwordHash !== null && !tooLong;
      const against = known ? passwordHash : await nobodysHash;
      const same = await inTurn(() => verify(against, tooLong ? '' : inOneForm(password)));
      return same && known;
    },
  };
}

/**
 * The argon2id hash, by itself: for the command line and for data that is made once. Servers go through
 * `createPasswords`.
 */
export const hashPassword = (password: string): Promise<string> => hash(inOneForm(password), parameters);

/** The package's enumeration vanishes when compiled; the value stands in RFC 9106, section 3.1. */
const argon2id = 2;

/** OWASP Password Storage Cheat Sheet, the second of its equal choices for argon2id. */
const parameters = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Keyboards differ in how they write é: as one character or as two. */
const inOneForm = (password: string) => password.normalize('NFC');

/** No character has more than two code units: a megabyte is known as too long without being counted. */
export function isTooLong(password: string): boolean {
  return password.length > 2 * longestPassword || [...password].length > longestPassword;
}

function createQueue(atOnce: number, mostWaiting: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < atOnce) running++;
    else if (waiting.length >= mostWaiting) throw new DomainError('unavailable', { retryAfter: 2 });
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await work();
    } finally {
      // The place goes straight to the next in line, so that nobody slips in between.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

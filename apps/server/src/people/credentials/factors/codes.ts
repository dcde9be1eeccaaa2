import { and, eq, isNotNull, lt } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import type { Connection } from '../../../platform/database.ts';
import type { FactorTables } from '../../../schema/tables/factor-tables.ts';
import type { FactorDependencies } from './factor-rules.ts';
import { consumeRecoveryCode, findRecoveryCode } from './recovery-codes.ts';

/** A code that matches a second factor of an account, and has not been used yet. */
export interface MatchedCode {
  kind: 'authenticator' | 'recovery_code';
  /** Consumes the code. @returns false if another request did so meanwhile */
  accept(connection: Connection): Promise<boolean>;
}

/** Finds the authenticator app or recovery code that a code belongs to, without consuming it. */
export async function matchCode(
  {
    database,
    secrets,
    clock,
    codeClock,
    alertOperator,
    factorRules: { tables, accountKind },
  }: Pick<
    FactorDependencies,
    'database' | 'secrets' | 'clock' | 'codeClock' | 'alertOperator' | 'factorRules'
  >,
  ownerId: string,
  code: string,
): Promise<MatchedCode | null> {
  const { factors, recoveryCodes } = tables;
  const now = clock();
  const authenticators = await database
    .select()
    .from(factors)
    .where(and(eq(factors.ownerId, ownerId), eq(factors.kind, 'authenticator'), isNotNull(factors.activeAt)));
  const recoveryCode = await findRecoveryCode(database, recoveryCodes, ownerId, code);
  for (const { id, secret, lastStep } of authenticators) {
    const opened = secret && secrets.open(secret, id);
    if (!opened)
      alertOperator('the secret of an authenticator app cannot be decrypted', { [accountKind]: ownerId });
    const step = opened && stepOfCode(opened, code, codeClock());
    if (step === null || step <= (lastStep ?? 0)) continue;
    return {
      kind: 'authenticator',
      accept: (connection) => acceptStep(connection, factors, { id, step, now }),
    };
  }
  return recoveryCode?.usedAt === null
    ? {
        kind: 'recovery_code',
        accept: (connection) => consumeRecoveryCode(connection, recoveryCodes, { ownerId, code, now }),
      }
    : null;
}

/** Accepts the code of a 30-second step, unless one of the same or a later step was accepted before. */
async function acceptStep(
  connection: Connection,
  factors: FactorTables['factors'],
  { id, step, now }: { id: string; step: number; now: Date },
): Promise<boolean> {
  const { rowCount } = await connection
    .update(factors)
    .set({ lastStep: step, lastUsedAt: now })
    .where(and(eq(factors.id, id), lt(factors.lastStep, step)));
  return rowCount === 1;
}

/** The time for which a code is shown, in milliseconds. */
const period = 30_000;

/** Creates the generator of an authenticator app’s codes, with the parameters that every app supports. */
export const createTotp = (secret: Uint8Array, { issuer, label }: { issuer: string; label: string }) =>
  new TOTP({
    issuer,
    label,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
    algorithm: 'SHA1',
    digits: 6,
    period: period / 1_000,
  });

/**
 * Returns the number of the 30-second step since 1970 that a code belongs to. Clocks may differ by one step.
 * @returns null if the code is wrong
 */
export function stepOfCode(secret: Uint8Array, code: string, now: Date): number | null {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const timestamp = now.getTime();
  const delta = createTotp(secret, { issuer: '', label: '' }).validate({ token, timestamp, window: 1 });
  return delta === null ? null : Math.floor(timestamp / period) + delta;
}

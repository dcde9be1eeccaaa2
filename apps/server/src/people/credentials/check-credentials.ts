import { type MatchedCode, matchCode } from './factors/codes.ts';
import type { FactorDependencies } from './factors/factor-rules.ts';
import { activeFactors } from './factors/factors.ts';

/** What was found out about a password and a code. */
export interface CheckedCredentials {
  /** The hash that the password matches; null for a wrong one, and for an account without a password. */
  passwordHash: string | null;
  hasFactor: boolean;
  /** Null without a code, and for a wrong one. */
  matched: MatchedCode | null;
}

/**
 * Checks the password and the code of a sign-in. The time that it takes does not reveal which of them was wrong, or whether
 * there is an account.
 * @param account undefined if no account has the email
 */
export async function checkCredentials(
  dependencies: Pick<
    FactorDependencies,
    'database' | 'clock' | 'codeClock' | 'passwords' | 'secrets' | 'alertOperator' | 'factorRules'
  >,
  account: { id: string; passwordHash: string | null } | undefined,
  { password, code }: { password: string; code?: string | undefined },
): Promise<CheckedCredentials> {
  const { database, passwords, factorRules } = dependencies;
  const id = account?.id ?? noAccount;
  const hasFactor = (await activeFactors(database, factorRules.tables, id)).length > 0;
  const matched = code === undefined ? null : await matchCode(dependencies, id, code);
  const stored = account?.passwordHash ?? null;
  const isCorrect = await passwords.matches(password, stored);
  return { passwordHash: isCorrect ? stored : null, hasFactor, matched };
}

/** An id that no account has. */
const noAccount = '00000000-0000-0000-0000-000000000000';

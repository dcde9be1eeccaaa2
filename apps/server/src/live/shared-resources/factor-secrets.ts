import type { AccountKind } from '../../platform/credentials/account-kind.ts';
import { createSecretBox, type SecretBox } from '../../platform/credentials/secret-box.ts';

export interface StaffKeys {
  /** Null: not set. */
  staffKey: string | null;
  /** Null: the key is not being changed; empty: there was none before. */
  formerStaffKey: string | null;
}

/** Creates the box for the secrets of authenticator apps, which also opens those from before the setting was changed. */
export const factorSecrets = (
  installationSecret: string,
  { staffKey, formerStaffKey }: StaffKeys,
  accountKind: AccountKind,
): SecretBox =>
  createSecretBox(
    [installationSecret, staffKey ?? ''],
    accountKind,
    formerStaffKey === null ? null : [installationSecret, formerStaffKey],
  );

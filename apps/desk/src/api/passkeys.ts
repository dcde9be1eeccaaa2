import type { AddedFactor, StaffSignIn } from '@keyturn/contract/staff';
import { createPasskey, requestPasskey } from '@keyturn/ui/factors/browser-passkeys.ts';
import { callStaff } from './desk-api.ts';

/** Signs a member in with a passkey of this device. */
export async function signInMember(): Promise<StaffSignIn> {
  const { options } = await callStaff('POST /staff/passkey/options');
  const credential = await requestPasskey(options);
  return callStaff('POST /staff/passkey/login', { body: { credential } });
}

/** Confirms the member’s identity with a passkey. */
export async function confirmWithPasskey(): Promise<StaffSignIn> {
  const { options } = await callStaff('POST /staff/session/confirm/options');
  const credential = await requestPasskey(options);
  return callStaff('POST /staff/session/confirm/passkey', { body: { credential } });
}

/** Adds a passkey of this device. */
export async function addPasskey(name: string): Promise<AddedFactor> {
  const { options } = await callStaff('POST /staff/passkeys/options');
  const credential = await createPasskey(options);
  return callStaff('POST /staff/passkeys', { body: { credential, name } });
}

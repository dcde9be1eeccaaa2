import type { Client, Firm, Maintenance, MaintenanceNotice } from '@keyturn/contract';
import { type Check, isArrayOf, isInstant, isNullOr, isObjectOf, isString } from './check.ts';

/*
 * The contract's entities as they must be before a screen may trust them, from the network or from storage. Each
 * check names every field of its type, so a field added to the contract does not compile until it is checked here.
 */

export const identity = { id: isString, created_at: isInstant, updated_at: isInstant };

export const isFirm = isObjectOf<Firm>({
  name: isString,
  sra_number: isString,
  phone: isString,
  address: isArrayOf(isString),
  opening_hours: isString,
});

/** The client without the case, as it is kept with the token. */
export type SignedInClient = Omit<Client, 'conveyancing_case'>;

export const clientFields = {
  ...identity,
  title: isNullOr(isString),
  first_name: isString,
  last_name: isString,
  email: isString,
  phone: isNullOr(isString),
  active_case: isNullOr(isObjectOf<{ id: string; reference: string }>({ id: isString, reference: isString })),
  cases: isArrayOf(
    isObjectOf<Client['cases'][number]>({ id: isString, reference: isString, title: isString }),
  ),
};

export const isSignedInClient: Check<SignedInClient> = isObjectOf<SignedInClient>(clientFields);

const isMaintenanceNotice = isObjectOf<MaintenanceNotice>({
  message: isNullOr(isString),
  until: isNullOr(isInstant),
});

export const isMaintenance = isObjectOf<Maintenance>({
  general: isNullOr(isMaintenanceNotice),
  case_history: isNullOr(isMaintenanceNotice),
});

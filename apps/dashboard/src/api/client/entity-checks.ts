import type { Client, Firm, Maintenance, MaintenanceNotice } from '@keyturn/contract';
import { type Check, isInstant, isListOf, isNullOr, isRecordOf, isText } from './check.ts';

/*
 * The contract's entities as they must be before a screen may trust them, from the network or from storage. Each
 * check names every field of its type, so a field added to the contract does not compile until it is checked here.
 */

export const identity = { id: isText, created_at: isInstant, updated_at: isInstant };

export const isFirm = isRecordOf<Firm>({
  name: isText,
  sra_number: isText,
  phone: isText,
  address: isListOf(isText),
  opening_hours: isText,
});

/** The client without the case, as it is kept with the token. */
export type SignedInClient = Omit<Client, 'conveyancing_case'>;

export const clientFields = {
  ...identity,
  title: isNullOr(isText),
  first_name: isText,
  last_name: isText,
  email: isText,
  phone: isNullOr(isText),
  active_case: isNullOr(isRecordOf<{ id: string; reference: string }>({ id: isText, reference: isText })),
  cases: isListOf(isRecordOf<Client['cases'][number]>({ id: isText, reference: isText, title: isText })),
};

export const isSignedInClient: Check<SignedInClient> = isRecordOf<SignedInClient>(clientFields);

const isMaintenanceNotice = isRecordOf<MaintenanceNotice>({
  message: isNullOr(isText),
  until: isNullOr(isInstant),
});

export const isMaintenance = isRecordOf<Maintenance>({
  general: isNullOr(isMaintenanceNotice),
  case_history: isNullOr(isMaintenanceNotice),
});

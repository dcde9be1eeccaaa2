import type { DeskClient } from '@keyturn/contract/staff';

/** Tells whether someone else may read the client’s address: a change to it was undone, and another client has the former one. */
export const isAddressInDoubt = ({
  email,
  unrestored_email,
}: Pick<DeskClient, 'email' | 'unrestored_email'>): boolean =>
  unrestored_email !== null && unrestored_email.toLowerCase() !== email.toLowerCase();

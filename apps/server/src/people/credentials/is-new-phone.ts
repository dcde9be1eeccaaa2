import { newPhoneDays } from '@keyturn/contract';

/** Tells whether a client changed their phone number so recently that it must not be used to check who they are. */
export const isNewPhone = (changedAt: Date, now: Date): boolean =>
  now.getTime() - changedAt.getTime() < newPhoneDays * 86_400_000;

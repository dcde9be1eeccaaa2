import { type PaymentMethod, type PaymentPurpose, paymentPurposes } from '@keyturn/contract';
import type { SettingReader } from './setting-reader.ts';

/** For each method, the account that receives the payments for a purpose; null if it cannot be paid by that method. */
export type PurposeSettings = Record<PaymentMethod, Record<PaymentPurpose, 'client' | 'business' | null>>;

const cardSetting = 'KEYTURN_CARD_PURPOSES';
const bankSetting = 'KEYTURN_BANK_PURPOSES';
const businessSetting = 'KEYTURN_BUSINESS_ACCOUNT_PURPOSES';

/**
 * Reads the purposes that can be paid by card and by bank, and which of these payments go to the business account:
 * only paid bills are certainly the firm’s own money, so nothing else goes there by default.
 * @param hasBusinessAccount whether the firm has a second account at its provider
 */
export function readPurposes(reader: SettingReader, hasBusinessAccount: boolean): PurposeSettings {
  const byCard = readList(reader, cardSetting) ?? [...paymentPurposes];
  const byBank = readList(reader, bankSetting) ?? [];
  const chosen = readList(reader, businessSetting);
  if (chosen && !hasBusinessAccount) {
    reader.report(`${businessSetting} needs the keys of a business account, KEYTURN_STRIPE_BUSINESS_…`);
  }
  for (const purpose of chosen ?? []) {
    if (!byCard.includes(purpose) && !byBank.includes(purpose))
      reader.report(`${businessSetting} has ${purpose}, which ${cardSetting} and ${bankSetting} have not`);
  }
  const business = hasBusinessAccount ? (chosen ?? ['legal_fees']) : [];
  const accountsOf = (accepted: PaymentPurpose[]) =>
    Object.fromEntries(
      paymentPurposes.map((purpose) => [
        purpose,
        !accepted.includes(purpose) ? null : business.includes(purpose) ? 'business' : 'client',
      ]),
    ) as PurposeSettings[PaymentMethod];
  return { card: accountsOf(byCard), bank: accountsOf(byBank) };
}

/** @returns null if the setting is not set */
function readList(reader: SettingReader, name: string): PaymentPurpose[] | null {
  const values = reader.list(name);
  const isPurpose = (value: string): value is PaymentPurpose =>
    paymentPurposes.some((purpose) => purpose === value);
  if (!values.every(isPurpose)) reader.report(`${name} must be some of ${paymentPurposes.join(', ')}`);
  return values.length === 0 ? null : values.filter(isPurpose);
}

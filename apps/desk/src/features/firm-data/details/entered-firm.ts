import type { FirmDetails } from '@keyturn/contract/staff';
import { formatPhone } from '@keyturn/format/phone-number';
import { linesOf } from './entered-lines.ts';

/** The form of the firm’s details: lists have one line for each item. */
export type EnteredFirm = Record<keyof FirmDetails, string>;

/** Fills the form. @param firm null before anyone has entered it */
export const enteredFirm = (firm: FirmDetails | null): EnteredFirm => ({
  name: firm?.name ?? '',
  sra_number: firm?.sra_number ?? '',
  phone: firm ? formatPhone(firm.phone) : '',
  address: firm?.address.join('\n') ?? '',
  opening_hours: firm?.opening_hours ?? '',
  vat_number: firm?.vat_number ?? '',
  order_cutoff: firm?.order_cutoff ?? '15:00',
  closed_on: firm?.closed_on.join('\n') ?? '',
});

/** Reads the form, without the spaces and empty lines that people leave. */
export const toFirmDetails = (entered: EnteredFirm): FirmDetails => ({
  name: entered.name.trim(),
  sra_number: entered.sra_number.trim(),
  phone: entered.phone.trim(),
  address: linesOf(entered.address),
  opening_hours: entered.opening_hours.trim(),
  vat_number: entered.vat_number.trim() || null,
  order_cutoff: entered.order_cutoff,
  closed_on: [...new Set(linesOf(entered.closed_on))],
});

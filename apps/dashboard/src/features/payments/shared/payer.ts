import type { Client, Payment } from '@keyturn/contract';

/** Who gave the card that the bank is asked about, as far as the payment tells. */
export type Payer = { kind: 'me' } | { kind: 'other'; firstName: string } | { kind: 'unknown' };

/** Whose own card it is, pays. With somebody else's card it could be either owner who gave it. */
export function payerOf(
  { payer: { own_card, name } }: Pick<Payment, 'payer'>,
  client: Pick<Client, 'first_name' | 'last_name'>,
): Payer {
  if (own_card !== true || !name) return { kind: 'unknown' };
  if (name === fullName(client)) return { kind: 'me' };
  return { kind: 'other', firstName: name.split(' ')[0] ?? name };
}

/** As a client who pays with their own card is named. */
export const fullName = ({ first_name, last_name }: Pick<Client, 'first_name' | 'last_name'>): string =>
  `${first_name} ${last_name}`;

import type { Client, Payment } from '@keyturn/contract';

/** The client who is paying, as far as the payment says. */
export type Payer = { kind: 'me' } | { kind: 'other'; firstName: string } | { kind: 'unknown' };

/** The owner of the card is paying. With someone else's card it could be either owner of the property. */
export function payerOf(
  { payer: { own_card, name } }: Pick<Payment, 'payer'>,
  client: Pick<Client, 'first_name' | 'last_name'>,
): Payer {
  if (own_card !== true || !name) return { kind: 'unknown' };
  if (name === fullName(client)) return { kind: 'me' };
  return { kind: 'other', firstName: name.split(' ')[0] ?? name };
}

/** The payer's name of a client who pays with their own card. */
export const fullName = ({ first_name, last_name }: Pick<Client, 'first_name' | 'last_name'>): string =>
  `${first_name} ${last_name}`;

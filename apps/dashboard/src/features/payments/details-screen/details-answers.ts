import { isBoolean, isNullOr, isObjectOf, isOneOf, isString } from '@keyturn/browser/checks/check.ts';
import {
  type CaseSearch,
  type Client,
  cardNumberNotAllowed,
  hasCardNumber,
  hasHiddenCharacter,
  hiddenCharacterNotAllowed,
  isEmailAddress,
  methodOfWording,
  type OrderWordingVersion,
  orderRequestWords,
  type PaymentMethod,
  type PaymentWordingVersion,
  paymentMethods,
  paymentWordingFor,
  removeInvisible,
} from '@keyturn/contract';
import { formatDay } from '@keyturn/format/london-time';
import type { PaymentConfirmation } from '../../../api/case/case-store.ts';

/** The form's content as the client entered it. */
export interface DetailsAnswers {
  method: PaymentMethod;
  /** The request to order that the client has ticked, as it was shown; empty if none. */
  orderWords: string;
  ownCard: boolean | null;
  payerName: string;
  receiptEmail: string;
}

/** What is wrong with each field, as a sentence for the client. */
export type DetailsFaults = Partial<
  Record<'order-now' | 'own-card' | 'payer-name' | 'receipt-email', string>
>;

export const isDetailsAnswers = isObjectOf<DetailsAnswers>({
  method: isOneOf(paymentMethods),
  orderWords: isString,
  ownCard: isNullOr(isBoolean),
  payerName: isString,
  receiptEmail: isString,
});

export const invalidEmail = 'Enter an email address, for example name@example.com.';

/** The form's initial content: the client's last confirmation, if there is one. */
export const initialAnswers = (client: Client, before: PaymentConfirmation | null): DetailsAnswers => ({
  method: before ? methodOfWording(before.wording) : 'card',
  orderWords: before?.order_words ?? '',
  ownCard: before?.own_card ?? null,
  payerName: before?.own_card === false ? before.payer_name : '',
  receiptEmail: before?.receipt_email ?? client.email,
});

export function findFaults(answers: DetailsAnswers, order: OrderRequest | null): DetailsFaults {
  const faults: DetailsFaults = {};
  const isByBank = answers.method === 'bank';
  if (answers.ownCard === null)
    faults['own-card'] = `Tell us whether this is your own ${isByBank ? 'bank account' : 'card'}.`;
  if (answers.ownCard === false && isByBank)
    faults['own-card'] =
      'You can only pay by bank from your own account. Pay by card if someone else is paying, or call us.';
  if (answers.ownCard === false && !isByBank && answers.payerName.trim() === '')
    faults['payer-name'] = 'Enter the name on the card.';
  if (answers.ownCard === false && hasCardNumber(answers.payerName))
    faults['payer-name'] = cardNumberNotAllowed;
  if (answers.ownCard === false && hasHiddenCharacter(answers.payerName))
    faults['payer-name'] = hiddenCharacterNotAllowed;
  if (hasCardNumber(answers.receiptEmail)) faults['receipt-email'] = cardNumberNotAllowed;
  else if (!isEmailAddress(removeInvisible(answers.receiptEmail).trim()))
    faults['receipt-email'] = invalidEmail;
  if (order && answers.orderWords !== order.words)
    faults['order-now'] = 'Tick the box so that we can order the search.';
  return faults;
}

/** The confirmation that is sent and recorded with the payment, with the version of the wording that was shown. */
export const toConfirmation = (
  answers: DetailsAnswers,
  client: Client,
  order: OrderRequest | null,
): PaymentConfirmation => ({
  own_card: answers.ownCard === true,
  payer_name: answers.ownCard ? fullName(client) : answers.payerName.trim(),
  receipt_email: removeInvisible(answers.receiptEmail).trim(),
  wording: wordingFor(client, answers.method),
  ...(order ? { order_wording: order.wording, order_words: order.words } : {}),
});

/** How the client asks for a search to be ordered. */
export interface OrderRequest {
  wording: OrderWordingVersion;
  /** What the client confirms: the request, then the refund rule of the search. */
  words: string;
}

/** @returns null if a server of the last release, which orders searches with other words, sent the search */
export const orderRequestFor = ({
  order_wording: wording,
  cancellation_ends_on: day,
  refund_rule: refundRule,
}: CaseSearch): OrderRequest | null =>
  wording === undefined
    ? null
    : {
        wording,
        words: orderRequestWords({ version: wording, day: day ? formatDay(day) : null, refundRule }),
      };

/** The wording that this client is shown. */
export const wordingFor = (
  { conveyancing_case }: Pick<Client, 'conveyancing_case'>,
  method: PaymentMethod,
): PaymentWordingVersion => paymentWordingFor(conveyancing_case?.clients.length ?? 1, method);

const fullName = ({ first_name, last_name }: Client): string => `${first_name} ${last_name}`;

export const hasSameAnswers = (a: DetailsAnswers, b: DetailsAnswers): boolean =>
  a.method === b.method &&
  a.orderWords === b.orderWords &&
  a.ownCard === b.ownCard &&
  a.payerName === b.payerName &&
  a.receiptEmail === b.receiptEmail;

import type { OtherPaymentBody } from '@keyturn/contract';
import type { Payer } from '../attempts/payment-attempts.ts';
import type { Confirmation } from './confirmation.ts';

/** A request to start a payment, or to continue the open payment for the same thing. */
export type PaymentRequest = SearchPaymentRequest | OtherPaymentRequest;

interface CommonRequest {
  payer: Payer;
  idempotencyKey: string | undefined;
  /** The client's confirmation; null for none. The payment cannot be paid until a client confirms it. */
  confirmation: Confirmation | null;
}

export interface SearchPaymentRequest extends CommonRequest {
  kind: 'search';
  caseSearchId: string;
  /** The price that the client was shown, in pence; undefined if the caller omits it. */
  shownPrice: number | undefined;
}

export interface OtherPaymentRequest extends CommonRequest {
  kind: 'other';
  body: OtherPaymentBody;
  /** Pence. The least that can be paid at once by the request's method. */
  minAmount: number;
  /** Pence. The limit for all other payments of the case on one day. */
  dailyLimit: number;
}

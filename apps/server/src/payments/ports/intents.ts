import type { CardWallet, PaymentMethod } from '@keyturn/contract';
import { isId } from '../../platform/ids.ts';
import type { ProviderDispute } from './disputes.ts';
import type { ProviderRefund } from './refunds.ts';

export interface IntentTerms {
  paymentId: string;
  /** Shown to staff who open the payment in the provider's dashboard. */
  caseId: string;
  kind: 'search' | 'other';
  method: PaymentMethod;
  /** Pence. */
  amount: number;
  currency: 'gbp';
  description: string;
  idempotencyKey: string;
  /** The facts for the payer's statement; null before a firm was imported. */
  statement?: { firmName: string; caseReference: string } | null;
  /** The installation and the payment of the intent, which a recovery reads after a backup is restored. */
  labels?: IntentLabels;
}

export interface ProviderIntent extends ProviderIntentState {
  /** Lets the browser pay this one intent. Never stored on our side, never logged. */
  clientSecret: string;
}

/** The state of an intent at the provider. */
export interface ProviderIntentState {
  intentId: string;
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'cancelled';
  /** Whether the provider itself cancelled it, for example after too many attempts to pay it. */
  isStoppedByProvider?: boolean;
  /** Pence. */
  amount: number;
  currency: string;
  /** The payment that the intent's metadata names. */
  paymentId: string | null;
  /** The installation that the intent's metadata names; null or undefined if it names none. */
  installationId?: string | null;
  /** The client whose payment it is, as the intent's metadata says; null or undefined if it names none. */
  clientId?: string | null;
  /** When the money was captured, by the provider's clock; null or undefined before that. */
  capturedAt?: Date | null;
  card: { brand: string; last4: string; wallet?: CardWallet | null } | null;
  /** The text on the payer's statement; null or undefined if the provider does not return it. */
  statementDescriptor?: string | null;
  error: { code: string; message: string } | null;
  /** Every refund, in any order and in any status. */
  refunds: ProviderRefund[];
  /** When the money reaches the firm; null before it is captured, or while the provider does not return it. */
  clearing: Clearing | null;
  /** Every dispute of the payment, in no particular order. */
  disputes: ProviderDispute[];
  /** Increases with every change of the intent; null if the provider does not count changes. */
  revision: number | null;
}

/** When the provider makes the money of a payment available to the firm. */
export interface Clearing {
  /** The day in London, `YYYY-MM-DD`. */
  on: string;
  isCleared: boolean;
}

/** The origin of an intent in its metadata, besides the payment and the case. All values are ids. */
export interface IntentLabels {
  /** The installation that created it: several can share one account of the provider. */
  installationId: string;
  /** Null for a payment that is not for a search. */
  searchId: string | null;
  /** The client whose payment it is. */
  clientId: string;
  matterId: string | null;
}

/** An intent with the origin in its metadata, which may be wrong or missing. */
export interface LabelledIntent extends Pick<ProviderIntentState, 'intentId' | 'status' | 'amount'> {
  createdAt: Date;
  description: string;
  paymentId: string | null;
  caseId: string | null;
  kind: string | null;
  method: PaymentMethod;
  installationId: string | null;
  searchId: string | null;
  clientId: string | null;
  matterId: string | null;
  /** Null before the payment was recorded as paid. */
  receiptNumber: string | null;
}

/** The metadata of an intent, with the same names at every provider. */
export type IntentMetadata = Partial<
  Record<
    | 'payment_id'
    | 'case_id'
    | 'kind'
    | 'method'
    | 'installation_id'
    | 'search_id'
    | 'client_id'
    | 'matter_id'
    | 'receipt_number',
    string
  >
>;

/** Returns the metadata that an intent is created with. */
export function toMetadata({
  paymentId,
  caseId,
  kind,
  method = 'card',
  labels,
}: {
  paymentId: string;
  caseId: string;
  kind: string;
  method?: PaymentMethod;
  labels?: IntentLabels | undefined;
}): IntentMetadata {
  return {
    payment_id: paymentId,
    case_id: caseId,
    kind,
    ...(method === 'bank' ? { method } : {}),
    ...(labels
      ? {
          installation_id: labels.installationId,
          client_id: labels.clientId,
          ...(labels.searchId ? { search_id: labels.searchId } : {}),
          ...(labels.matterId ? { matter_id: labels.matterId } : {}),
        }
      : {}),
  };
}

/** Reads an intent's origin from its metadata. */
export const fromMetadata = (metadata: IntentMetadata) => ({
  paymentId: metadata.payment_id ?? null,
  caseId: metadata.case_id ?? null,
  kind: metadata.kind ?? null,
  method: metadata.method === 'bank' ? ('bank' as const) : ('card' as const),
  installationId: metadata.installation_id ?? null,
  searchId: metadata.search_id ?? null,
  clientId: metadata.client_id ?? null,
  matterId: metadata.matter_id ?? null,
  receiptNumber: metadata.receipt_number ?? null,
});

/**
 * Whether an intent can belong to this installation. Intents of earlier versions name no installation; they count as
 * ours if they name a payment by an id.
 */
export const canBeOurs = (
  { paymentId, installationId }: Pick<ProviderIntentState, 'paymentId' | 'installationId'>,
  ownInstallationId: string,
): boolean => (installationId ? installationId === ownInstallationId : paymentId !== null && isId(paymentId));

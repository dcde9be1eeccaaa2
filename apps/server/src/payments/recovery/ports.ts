import type { PaymentMethod } from '@keyturn/contract';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import type { ProviderIntentState } from '../records/payment-states.ts';

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

/** Stores, outside the database, the highest number of comparisons that a server has seen in it. */
export interface HighWaterMark {
  /** @returns null if there is none for this installation */
  read(installationId: string): Promise<number | null>;
  write(installationId: string, rounds: number): Promise<void>;
}

/** Whether a call was refused because payments are paused after a restore. */
export const isPaused = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'payments_paused';

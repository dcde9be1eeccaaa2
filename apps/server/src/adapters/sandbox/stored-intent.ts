import type { PaymentMethod, SandboxBehaviour, SandboxIntent } from '@keyturn/contract';
import type { IntentMetadata } from '../../features/payments/recovery/ports.ts';

/** An intent as the sandbox stores it. */
export interface StoredIntent {
  id: string;
  client_secret: string;
  amount: number;
  currency: string;
  metadata: IntentMetadata;
  status: SandboxIntent['status'];
  pending_behaviour: SandboxBehaviour | 'bank_fails' | null;
  method: PaymentMethod;
  /** Names the bank's page of a payment by bank that the client has started to approve. */
  bank_token: string | null;
  /** Where that page leads back to. */
  return_url: string | null;
  settles_at: Date | null;
  card_brand: string | null;
  card_last4: string | null;
  error_code: string | null;
  error_message: string | null;
  /** What a statement would show. */
  statement_descriptor: string | null;
  version: number;
  /** When the money of its charge is available; null before it is captured. */
  available_at: Date | null;
  /** When its charge was made; null before it is captured. */
  captured_at: Date | null;
  created_at: Date;
  /** Oldest first. */
  refunds: StoredRefund[];
}

/** A refund as the sandbox stores it. */
export interface StoredRefund {
  id: string;
  intent_id: string;
  amount: number;
  status: 'pending' | 'succeeded' | 'failed' | 'canceled';
  reason: string | null;
  failure_reason: string | null;
  metadata: { refund_id?: string };
  /** ISO 8601 with a time zone. */
  created_at: string;
}

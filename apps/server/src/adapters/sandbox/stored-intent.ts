import type { PaymentMethod, SandboxBehaviour, SandboxIntent } from '@keyturn/contract';
import type { IntentMetadata } from '../../payments/ports/intents.ts';

/** An intent as the sandbox stores it. */
export interface StoredSandboxIntent {
  id: string;
  client_secret: string;
  amount: number;
  currency: string;
  metadata: IntentMetadata;
  status: SandboxIntent['status'];
  pending_behaviour: SandboxBehaviour | 'bank_fails' | null;
  method: PaymentMethod;
  /** The token of the bank's page, once the client has started a payment by bank. */
  bank_token: string | null;
  /** The URL to which the bank's page redirects. */
  return_url: string | null;
  settles_at: Date | null;
  card_brand: string | null;
  card_last4: string | null;
  error_code: string | null;
  error_message: string | null;
  /** The line of the payer's statement. */
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

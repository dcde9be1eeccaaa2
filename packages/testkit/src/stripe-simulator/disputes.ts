import type Stripe from 'stripe';
import { addBalanceTransaction } from './balance-transactions.ts';
import { findCharge } from './charges.ts';
import { isWithin, listPage, matches, type StripePage } from './list-page.ts';
import { refusal } from './rules/stripe-rules.ts';
import { resourceMissing } from './stripe-api-error.ts';
import { newId, nowOf, type StripeDispute, type StripeState } from './stripe-state.ts';

/** What a bank says when it opens a dispute. */
export interface DisputeTerms {
  /** In pence; by default the whole charge. */
  amount?: number | undefined;
  /** Stripe's reason, such as `fraudulent` or `product_not_received`. */
  reason?: string;
  /** Seconds since 1970 until which Stripe accepts evidence; by default in ten days. */
  dueBy?: number;
  /** An inquiry takes no money yet. */
  isInquiry?: boolean;
}

/** The disputes of an account, and what banks do with them. */
export interface StripeDisputes {
  all(): StripeDispute[];
  find(id: string): StripeDispute;
  list(params: Stripe.DisputeListParams): StripePage<StripeDispute>;
  /** Opens a dispute of a charge. Chargebacks withdraw the money and a fee from the balance immediately. */
  open(chargeId: string, terms?: DisputeTerms): StripeDispute;
  /** Changes a dispute's status. A dispute that is won returns its money. */
  move(id: string, status: Stripe.Dispute.Status): StripeDispute;
  /** Stores evidence, and submits it to the bank unless `submit` is false. */
  update(id: string, params: Stripe.DisputeUpdateParams): StripeDispute;
  /** Accepts a dispute as lost. */
  close(id: string): StripeDispute;
}

/** Creates the operations on the disputes of an account. */
export function createDisputes(state: StripeState): StripeDisputes {
  const all = () => [...state.disputes.values()];
  const find = (id: string) => {
    const dispute = state.disputes.get(id);
    if (!dispute) throw resourceMissing('dispute', id);
    return dispute;
  };
  return {
    all,
    find,
    list: (params) => {
      const found = all().filter(
        (dispute) =>
          isWithin(dispute.created, params.created) &&
          matches(params.charge, dispute.charge) &&
          matches(params.payment_intent, dispute.payment_intent),
      );
      return listPage('/v1/disputes', found, params);
    },
    open: (chargeId, terms = {}) => openDispute(state, chargeId, terms),
    move: (id, status) => moveDispute(state, find(id), status),
    update: (id, params) => updateEvidence(state, find(id), params),
    close: (id) => {
      const dispute = find(id);
      if (!openStatuses.has(dispute.status)) {
        throw refusal('dispute-closed');
      }
      return moveDispute(state, dispute, 'lost');
    },
  };
}

function openDispute(state: StripeState, chargeId: string, terms: DisputeTerms): StripeDispute {
  const charge = findCharge(state, chargeId);
  charge.disputed = true;
  const isInquiry = terms.isInquiry ?? false;
  const dispute: StripeDispute = {
    id: newId('dp'),
    object: 'dispute',
    amount: terms.amount ?? charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: nowOf(state),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: { ...noEvidence },
    evidence_details: {
      due_by: terms.dueBy ?? nowOf(state) + 10 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: isInquiry,
    livemode: state.isLive,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: {
        brand: charge.payment_method_details?.card?.brand ?? 'visa',
        case_type: isInquiry ? 'inquiry' : 'chargeback',
        network: 'visa',
        network_reason_code: '10.4',
      },
      type: 'card',
    },
    reason: terms.reason ?? 'fraudulent',
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  };
  state.disputes.set(dispute.id, dispute);
  if (!isInquiry) withdraw(state, dispute);
  state.emit('charge.dispute.created', dispute);
  if (!isInquiry) state.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

function moveDispute(
  state: StripeState,
  dispute: StripeDispute,
  status: Stripe.Dispute.Status,
): StripeDispute {
  const previous = dispute.status;
  dispute.status = status;
  const escalates = status === 'needs_response' && previous.startsWith('warning_');
  if (escalates) {
    dispute.is_charge_refundable = false;
    withdraw(state, dispute);
  }
  const returnsMoney = status === 'won' && dispute.balance_transactions.length > 0;
  if (returnsMoney) reinstate(state, dispute);
  if (status === 'won' || status === 'warning_closed') dispute.is_charge_refundable = true;
  state.emit(openStatuses.has(status) ? 'charge.dispute.updated' : 'charge.dispute.closed', dispute, {
    status: previous,
  });
  if (escalates) state.emit('charge.dispute.funds_withdrawn', dispute);
  if (returnsMoney) state.emit('charge.dispute.funds_reinstated', dispute);
  return dispute;
}

function updateEvidence(
  state: StripeState,
  dispute: StripeDispute,
  { evidence, metadata, submit = true }: Stripe.DisputeUpdateParams,
): StripeDispute {
  if (!openStatuses.has(dispute.status)) {
    throw refusal('dispute-closed');
  }
  const { enhanced_evidence: _enhanced, ...texts } = evidence ?? {};
  dispute.evidence = Object.assign({}, dispute.evidence, texts);
  if (metadata) dispute.metadata = { ...dispute.metadata, ...(metadata as Record<string, string>) };
  dispute.evidence_details.has_evidence = true;
  if (submit) {
    dispute.evidence_details.submission_count += 1;
    dispute.evidence_details.submission_method = 'manual';
    return moveDispute(
      state,
      dispute,
      dispute.status.startsWith('warning_') ? 'warning_under_review' : 'under_review',
    );
  }
  state.emit('charge.dispute.updated', dispute);
  return dispute;
}

function withdraw(state: StripeState, dispute: StripeDispute): void {
  addAdjustment(state, dispute, -dispute.amount, 'dispute', disputeFee);
}

function reinstate(state: StripeState, dispute: StripeDispute): void {
  addAdjustment(state, dispute, dispute.amount, 'dispute_reversal', 0);
}

function addAdjustment(
  state: StripeState,
  dispute: StripeDispute,
  amount: number,
  reportingCategory: string,
  fee: number,
): void {
  const { charge, currency, id } = dispute;
  dispute.balance_transactions.push(
    addBalanceTransaction(state, {
      type: 'adjustment',
      reportingCategory,
      amount,
      fee,
      currency,
      source: id,
      isAvailable: true,
      description: `Chargeback ${amount < 0 ? 'withdrawal' : 'reversal'} for ${charge}`,
    }),
  );
}

/** Stripe's fee in pence for a dispute of a British account. */
const disputeFee = 2_000;

const openStatuses: ReadonlySet<string> = new Set([
  'needs_response',
  'under_review',
  'warning_needs_response',
  'warning_under_review',
  'appeal_needs_response',
  'appeal_under_review',
]);

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

import { type Static, Type } from 'typebox';
import { orderWordingVersions } from '../order-wording.ts';
import {
  bindingMoments,
  cancellationPeriods,
  caseSearchOutcomes,
  caseSearchStatuses,
  caseStatuses,
  disputeStatuses,
  documentGroups,
  historyCategories,
  matterTypes,
  milestoneActors,
  milestoneStatuses,
  orderingRules,
  partyRoles,
  paymentStatuses,
  searchRequirements,
  shownTaskKinds,
  signingMethods,
  taskStatuses,
  tenures,
} from '../vocabulary.ts';
import { ShownPaymentRules } from './payment-rules.ts';
import { AddedField, Day, entityFields, Id, Instant, Nullable, OneOf, Pence, Price } from './values.ts';

export const Property = Type.Object({
  address_lines: Type.Array(Type.String()),
  town: Type.String(),
  postcode: Type.String(),
  tenure: OneOf(tenures),
  title_number: Nullable(Type.String()),
  price: Nullable(Pence),
});
export type Property = Static<typeof Property>;

export const Party = Type.Object({
  role: OneOf(partyRoles),
  name: Type.String(),
  contact: Nullable(Type.String()),
});
export type Party = Static<typeof Party>;

export const Handler = Type.Object({
  name: Type.String(),
  role: Type.String(),
  phone: Type.String(),
  email: Type.String(),
});
export type Handler = Static<typeof Handler>;

export const Firm = Type.Object({
  name: Type.String(),
  sra_number: Type.String(),
  phone: Type.String(),
  address: Type.Array(Type.String()),
  opening_hours: Type.String(),
  /** For example `GB 123 4567 89`; null: the firm charges no VAT, and prices show none. */
  vat_number: Nullable(Type.String()),
  /** The time in London, `HH:MM`, from which the firm orders what was paid on the next working day. */
  order_cutoff: Type.String(),
  /** Days on which the firm is closed, besides weekends: its own and the bank holidays. */
  closed_on: Type.Array(Day),
  order_searches: AddedField(OneOf(orderingRules)),
  payment_rules: AddedField(ShownPaymentRules),
});
export type Firm = Static<typeof Firm>;

export const Matter = Type.Object({
  ...entityFields,
  matter_type: OneOf(matterTypes),
  status: OneOf(caseStatuses),
  property: Property,
  /** The key of the current milestone; null before the first and after the last. */
  stage: Nullable(Type.String()),
  /** The number of required milestones that have been reached. */
  progress: Type.Object({ done: Type.Integer(), total: Type.Integer() }),
  /** Whether its identity check is done, or not needed. */
  is_identity_checked: AddedField(Type.Boolean()),
  target_exchange_on: Nullable(Day),
  target_completion_on: Nullable(Day),
  exchanged_on: Nullable(Day),
  completed_on: Nullable(Day),
  parties: Type.Array(Party),
});
export type Matter = Static<typeof Matter>;

export const Task = Type.Object({
  ...entityFields,
  kind: OneOf(shownTaskKinds),
  title: Type.String(),
  /** Explains in a sentence or two why it is needed, or what it means. */
  explanation: Type.String(),
  due_on: Nullable(Day),
  status: OneOf(taskStatuses),
  matter_id: Nullable(Id),
  case_search_id: Nullable(Id),
  document_id: Nullable(Id),
  /** For `pay_bill`. */
  bill_id: Nullable(Id),
  /** For `sign_document`: how the document is signed, and when signing commits the signers. */
  signing: Nullable(OneOf(signingMethods)),
  binds_on: Nullable(OneOf(bindingMoments)),
  /** For `pay`, `pay_search` and `pay_bill`; null for a bill with an open payment. */
  amount: Nullable(Pence),
});
export type Task = Static<typeof Task>;

/** A client of a case, as the other clients of the case see them. */
export const CaseClient = Type.Object({ id: Id, first_name: Type.String() });
export type CaseClient = Static<typeof CaseClient>;

export const ConveyancingCase = Type.Object({
  ...entityFields,
  reference: Type.String(),
  title: Type.String(),
  status: OneOf(caseStatuses),
  /** Every client on the case, including this one. There are two or more if they own jointly. */
  clients: Type.Array(CaseClient),
  matters: Type.Array(Matter),
  handlers: Type.Array(Handler),
  /** The clients’ right to cancel the firm’s services, as the firm has recorded it. */
  cancellation: AddedField(OneOf(cancellationPeriods)),
  /** Its last day; null unless it `ends_on` a day. */
  cancellation_ends_on: AddedField(Nullable(Day)),
  /** Whether the firm gave the notice of it, and the cost of an early start. */
  cancellation_notice_given: AddedField(Type.Boolean()),
  firm: Firm,
  tasks: Type.Array(Task),
  unread_documents: Type.Integer(),
  /** The total of the searches that are awaiting payment, of tasks to pay, and of bills that are due. */
  amount_due: Pence,
  /** The total of bills that are not yet due. */
  amount_due_later: Pence,
  /** The amount that the clients of this case have paid, less refunds. */
  amount_paid: Pence,
});
export type ConveyancingCase = Static<typeof ConveyancingCase>;

export const Client = Type.Object({
  ...entityFields,
  title: Nullable(Type.String()),
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.String(),
  phone: Nullable(Type.String()),
  conveyancing_case: Nullable(ConveyancingCase),
  active_case: Nullable(Type.Object({ id: Id, reference: Type.String() })),
  cases: Type.Array(Type.Object({ id: Id, reference: Type.String(), title: Type.String() })),
  /** The payment links to this client, of all their cases, that no one has started to pay. Earlier servers send none. */
  payment_requests: Type.Optional(Type.Array(Type.Object({ id: Id, description: Type.String() }))),
});
export type Client = Static<typeof Client>;

/** The client without the case and its payments, as the dashboard stores it with the access token. */
export const ClientProfile = Type.Omit(Client, ['conveyancing_case', 'payment_requests']);
export type ClientProfile = Static<typeof ClientProfile>;

export const Milestone = Type.Object({
  ...entityFields,
  matter_id: Id,
  key: Type.String(),
  title: Type.String(),
  explanation: Type.String(),
  /** The stage of the stage tracker that this milestone belongs to. */
  stage: Type.Object({ title: Type.String(), position: Type.Integer(), key_moment: Type.Boolean() }),
  actor: OneOf(milestoneActors),
  /** The party to act next, as this client reads it, for example "Tom" or "Us"; null unless the step is under way. */
  waiting_for: Nullable(Type.String()),
  status: OneOf(milestoneStatuses),
  reached_on: Nullable(Day),
  expected_from: Nullable(Day),
  expected_to: Nullable(Day),
  /**
   * When exchange or completion usually happens, counted from the instruction; null for other steps, and once it is
   * done or its days are known.
   */
  usually_between: Nullable(Type.Object({ from: Day, to: Day })),
  /** The day on which that party's turn started; null if unknown, or if the step is not under way. */
  waiting_since: Nullable(Day),
  /** What the step waits for besides, in the firm’s own words; null if there is nothing. */
  also_waiting: AddedField(
    Nullable(Type.Object({ waiting_for: Type.String(), waiting_since: Nullable(Day) })),
  ),
  usual_working_days: Nullable(Type.Object({ from: Type.Integer(), to: Type.Integer() })),
  /** The day of the figures in its usual times; null if the firm has stated none, or sent times for this case. */
  figures_of: AddedField(Nullable(Day)),
  next_update_by: Nullable(Day),
  position: Type.Integer(),
});
export type Milestone = Static<typeof Milestone>;

/** What the firm told the client to expect. */
export const givenEstimate = {
  /** With VAT; null if the firm gave none. */
  estimate: AddedField(Nullable(Pence)),
  /** Why it costs more than that, in the firm’s words; null if it does not. */
  above_estimate: AddedField(Nullable(Type.String())),
};

export const CaseSearch = Type.Object({
  ...entityFields,
  matter_id: Id,
  code: Type.String(),
  name: Type.String(),
  supplier: Type.String(),
  explanation: Type.String(),
  price: Price,
  /** What the supplier charges the firm, with VAT; the rest is the firm’s charge. Null if the firm has not said. */
  supplier_cost: AddedField(Nullable(Pence)),
  ...givenEstimate,
  refund_rule: Type.String(),
  /** The version of `orderWordings` with which the client asks for it to be ordered today. */
  order_wording: AddedField(OneOf(orderWordingVersions)),
  /** The last day of the client’s right to cancel the firm’s services, which that wording names; null without one. */
  cancellation_ends_on: AddedField(Nullable(Day)),
  required_by: OneOf(searchRequirements),
  status: OneOf(caseSearchStatuses),
  expected_on: Nullable(Day),
  paid_at: Nullable(Instant),
  ordered_at: Nullable(Instant),
  returned_at: Nullable(Instant),
  valid_until: Nullable(Day),
  delayed_reason: Nullable(Type.String()),
  outcome: Nullable(OneOf(caseSearchOutcomes)),
  outcome_summary: Nullable(Type.String()),
  result_document_id: Nullable(Id),
  payment: Nullable(
    Type.Object({
      id: Id,
      status: OneOf(paymentStatuses),
      /** The client who confirmed the payment, and whose card pays; null until then. */
      payer: Nullable(CaseClient),
      /**
       * The latest dispute by the payer's bank. Until the firm wins it, the firm decides whether to order the search.
       */
      dispute: Nullable(Type.Object({ status: OneOf(disputeStatuses) })),
      /** As `payer.check` of a payment. */
      /** Whether the money has cleared, and the day that the provider names; null until it is paid. */
      clearing: AddedField(Nullable(Type.Object({ is_cleared: Type.Boolean(), on: Nullable(Day) }))),
      payer_check: AddedField(Nullable(Type.Object({ done_at: Nullable(Instant) }))),
    }),
  ),
  /** Whether a payment for it can be started or resumed now. */
  payable: Type.Boolean(),
  /** Whether a payment for it needs review by the firm. It must not be paid again meanwhile. */
  under_review: Type.Boolean(),
});
export type CaseSearch = Static<typeof CaseSearch>;

export const CaseDocument = Type.Object({
  ...entityFields,
  matter_id: Id,
  matter_type: OneOf(matterTypes),
  group: OneOf(documentGroups),
  title: Type.String(),
  file_name: Type.String(),
  media_type: Type.String(),
  /** Bytes. */
  size: Type.Integer(),
  pages: Nullable(Type.Integer()),
  sha256: Type.String(),
  uploaded_by: Type.String(),
  shared_at: Instant,
  read_at: Nullable(Instant),
  /** The earlier version that this one replaces. */
  supersedes: Nullable(Id),
  /** The later version that replaces this one. */
  superseded_by: Nullable(Id),
  /** Counts from 1. */
  version: Type.Integer(),
  signature: Nullable(
    Type.Object({
      /** How it is signed; null when the firm no longer asks for signatures. */
      signing: Nullable(OneOf(signingMethods)),
      /** When signing commits the signers; null if the firm has not specified this. */
      binds_on: Nullable(OneOf(bindingMoments)),
      /** The statement to accept when signing electronically; null for other ways of signing. */
      consent: Nullable(Type.String()),
      /** The day on which the firm received the paper, signed by everyone. */
      received_on: Nullable(Day),
      /** The day on which the firm received the original that this client signed. */
      original_received_on: AddedField(Nullable(Day)),
      /** Whether this client still has to sign. */
      required: Type.Boolean(),
      /** Whether the server asks this client to confirm their identity when they sign. */
      needs_confirmation: AddedField(Type.Boolean()),
      /** When this client signed. */
      signed_at: Nullable(Instant),
      /** The name this client signed with. */
      signed_by: Nullable(Type.String()),
      /** The other clients of the case who have to sign. */
      others: Type.Array(
        Type.Object({
          name: Type.String(),
          signed_at: Nullable(Instant),
          original_received_on: AddedField(Nullable(Day)),
        }),
      ),
    }),
  ),
});
export type CaseDocument = Static<typeof CaseDocument>;

/** A folder of the client’s documents, in the firm’s words. */
export const DocumentFolder = Type.Object({
  matter_type: OneOf(matterTypes),
  group: OneOf(documentGroups),
  name: Type.String(),
  /** The text that an empty folder shows. */
  empty_text: Type.String(),
});
export type DocumentFolder = Static<typeof DocumentFolder>;

export const HistoryEntry = Type.Object({
  ...entityFields,
  occurred_at: Instant,
  category: OneOf(historyCategories),
  actor: Type.String(),
  summary: Type.String(),
  /** A path of the dashboard. */
  link: Nullable(Type.String()),
});
export type HistoryEntry = Static<typeof HistoryEntry>;

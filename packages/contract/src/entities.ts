import { type Static, type TSchema, Type } from 'typebox';
import {
  bindingMoments,
  cardWallets,
  caseSearchOutcomes,
  caseSearchStatuses,
  caseStatuses,
  disputeStatuses,
  documentGroups,
  historyCategories,
  matterTypes,
  milestoneActors,
  milestoneStatuses,
  otherPaymentCategories,
  partyRoles,
  paymentKinds,
  paymentLinkStates,
  paymentProviders,
  paymentStatuses,
  refundStatuses,
  searchRequirements,
  shownTaskKinds,
  signingMethods,
  taskStatuses,
  tenures,
} from './vocabulary.ts';

/** A string enumeration. */
export const OneOf = <const Words extends readonly string[]>(words: Words) =>
  Type.Unsafe<Words[number]>(Type.String({ enum: [...words] }));

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** A version 4 UUID in lower case. */
export const Id = Type.String({ description: 'Opaque identifier' });
/** An ISO 8601 timestamp in UTC with milliseconds. */
export const Instant = Type.String({ format: 'date-time' });
/** A calendar day in Europe/London, `YYYY-MM-DD`. */
export const Day = Type.String({ format: 'date' });
/** An amount of money in whole pence. */
export const Pence = Type.Integer({ description: 'Pence sterling' });

const identity = { id: Id, created_at: Instant, updated_at: Instant };

/** A price: `gross = net + vat`, `vat_rate` in percent. */
export const Price = Type.Object({ net: Pence, vat_rate: Type.Number(), vat: Pence, gross: Pence });
export type Price = Static<typeof Price>;

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
  /** As printed on receipts, for example `GB 123 4567 89`; null: no receipt is a VAT invoice. */
  vat_number: Nullable(Type.String()),
  /** The time in London, `HH:MM`, from which the firm orders what was paid on the next working day. */
  order_cutoff: Type.String(),
  /** Days on which the firm is closed, besides weekends and the bank holidays of England and Wales. */
  closed_on: Type.Array(Day),
});
export type Firm = Static<typeof Firm>;

export const Matter = Type.Object({
  ...identity,
  matter_type: OneOf(matterTypes),
  status: OneOf(caseStatuses),
  property: Property,
  /** The key of the current milestone; null before the first and after the last. */
  stage: Nullable(Type.String()),
  /** How many of the milestones that are needed have been reached. */
  progress: Type.Object({ done: Type.Integer(), total: Type.Integer() }),
  target_exchange_on: Nullable(Day),
  target_completion_on: Nullable(Day),
  exchanged_on: Nullable(Day),
  completed_on: Nullable(Day),
  parties: Type.Array(Party),
});
export type Matter = Static<typeof Matter>;

export const Task = Type.Object({
  ...identity,
  kind: OneOf(shownTaskKinds),
  title: Type.String(),
  /** Why it is needed, or what it means, in a sentence or two. */
  explanation: Type.String(),
  due_on: Nullable(Day),
  status: OneOf(taskStatuses),
  matter_id: Nullable(Id),
  case_search_id: Nullable(Id),
  document_id: Nullable(Id),
  /** For `pay_bill`. */
  bill_id: Nullable(Id),
  /** For `sign_document`: how its document is signed, and when that commits its signers. */
  signing: Nullable(OneOf(signingMethods)),
  binds_on: Nullable(OneOf(bindingMoments)),
  /** For `pay`, `pay_search` and `pay_bill`; null for a bill that is in a payment which a client has started. */
  amount: Nullable(Pence),
});
export type Task = Static<typeof Task>;

/** A client of a case, as the other clients of the case see them. */
export const CaseClient = Type.Object({ id: Id, first_name: Type.String() });
export type CaseClient = Static<typeof CaseClient>;

export const ConveyancingCase = Type.Object({
  ...identity,
  reference: Type.String(),
  title: Type.String(),
  status: OneOf(caseStatuses),
  /** Every client on the case, this one included. Joint owners are two or more. */
  clients: Type.Array(CaseClient),
  matters: Type.Array(Matter),
  handlers: Type.Array(Handler),
  firm: Firm,
  tasks: Type.Array(Task),
  unread_documents: Type.Integer(),
  /** The total of the searches that are awaiting payment, of tasks to pay, and of bills that are due. */
  amount_due: Pence,
  /** The total of bills that are not due yet. */
  amount_due_later: Pence,
  /** What the clients of this case have paid, less refunds. */
  amount_paid: Pence,
});
export type ConveyancingCase = Static<typeof ConveyancingCase>;

export const Client = Type.Object({
  ...identity,
  title: Nullable(Type.String()),
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.String(),
  phone: Nullable(Type.String()),
  conveyancing_case: Nullable(ConveyancingCase),
  active_case: Nullable(Type.Object({ id: Id, reference: Type.String() })),
  cases: Type.Array(Type.Object({ id: Id, reference: Type.String(), title: Type.String() })),
});
export type Client = Static<typeof Client>;

/** The client without the case, as the dashboard stores it with the access token. */
export const ClientProfile = Type.Omit(Client, ['conveyancing_case']);
export type ClientProfile = Static<typeof ClientProfile>;

export const Milestone = Type.Object({
  ...identity,
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
   * When exchange or completion usually is, counted from the instruction; null for other steps, and once it is done or
   * other days are known.
   */
  usually_between: Nullable(Type.Object({ from: Day, to: Day })),
  /** The day since which that party has had to act; null if unknown, or unless the step is under way. */
  waiting_since: Nullable(Day),
  usual_working_days: Nullable(Type.Object({ from: Type.Integer(), to: Type.Integer() })),
  next_update_by: Nullable(Day),
  position: Type.Integer(),
});
export type Milestone = Static<typeof Milestone>;

export const CaseSearch = Type.Object({
  ...identity,
  matter_id: Id,
  code: Type.String(),
  name: Type.String(),
  supplier: Type.String(),
  explanation: Type.String(),
  price: Price,
  refund_rule: Type.String(),
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
      /** The client who confirmed it and whose card pays; null until one has. */
      payer: Nullable(CaseClient),
      /** The latest dispute of the payer's bank: until it is won, the firm decides whether it orders the search. */
      dispute: Nullable(Type.Object({ status: OneOf(disputeStatuses) })),
    }),
  ),
  /** Whether a payment for it can be started or resumed now. */
  payable: Type.Boolean(),
  /** A payment for it needs review by the firm. It must not be paid again meanwhile. */
  under_review: Type.Boolean(),
});
export type CaseSearch = Static<typeof CaseSearch>;

export const CaseDocument = Type.Object({
  ...identity,
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
      /** When it commits its signers; null when the firm has not said. */
      binds_on: Nullable(OneOf(bindingMoments)),
      /** The statement to accept when signing electronically; null when it is not signed so. */
      consent: Nullable(Type.String()),
      /** The day on which the firm received the signed paper. */
      received_on: Nullable(Day),
      /** Whether this client still has to sign. */
      required: Type.Boolean(),
      /** When this client signed. */
      signed_at: Nullable(Instant),
      /** The name this client signed with. */
      signed_by: Nullable(Type.String()),
      /** The other clients of the case who have to sign. */
      others: Type.Array(Type.Object({ name: Type.String(), signed_at: Nullable(Instant) })),
    }),
  ),
});
export type CaseDocument = Static<typeof CaseDocument>;

export const HistoryEntry = Type.Object({
  ...identity,
  occurred_at: Instant,
  category: OneOf(historyCategories),
  actor: Type.String(),
  summary: Type.String(),
  /** A path of the dashboard. */
  link: Nullable(Type.String()),
});
export type HistoryEntry = Static<typeof HistoryEntry>;

/** A bill of the firm to the clients of a case. */
export const Bill = Type.Object({
  ...identity,
  /** The matter that it is for; null for the case as a whole. */
  matter_id: Nullable(Id),
  number: Type.String(),
  description: Type.String(),
  issued_on: Day,
  /** The day on which it is due; for one that is due on completion, the day that is planned or null. */
  due_on: Nullable(Day),
  due_on_completion: Type.Boolean(),
  /** Whether it is due today. */
  is_due: Type.Boolean(),
  net: Pence,
  vat: Pence,
  gross: Pence,
  /** What has been paid towards it here, less refunds. */
  paid: Pence,
  /** What is left to pay, less payments that a bank is confirming or that are under review. */
  left: Pence,
  /** What can still be paid here: open payments are subtracted too. */
  payable: Pence,
});
export type Bill = Static<typeof Bill>;

export const PaymentLine = Type.Object({
  text: Type.String(),
  net: Pence,
  vat_rate: Type.Number(),
  vat: Pence,
  gross: Pence,
  client_money: Type.Boolean(),
});
export type PaymentLine = Static<typeof PaymentLine>;

/** The firm that a client paid, as a VAT receipt names it. */
export const PaymentSupplier = Type.Object({
  name: Type.String(),
  address: Type.Array(Type.String()),
  /** Null: no VAT is claimed. */
  vat_number: Nullable(Type.String()),
});
export type PaymentSupplier = Static<typeof PaymentSupplier>;

export const Payment = Type.Object({
  ...identity,
  kind: OneOf(paymentKinds),
  status: OneOf(paymentStatuses),
  amount: Pence,
  currency: Type.Literal('gbp'),
  description: Type.String(),
  category: Type.String(),
  reference: Nullable(Type.String()),
  matter_id: Nullable(Id),
  case_search_id: Nullable(Id),
  /** The bill that it pays; null for other money. */
  bill: Nullable(Type.Object({ id: Id, number: Type.String(), issued_on: Day })),
  paid_at: Nullable(Instant),
  receipt_number: Nullable(Type.String()),
  /** The firm as it was when the payment was made; null before that, and for payments that are older than this record. */
  supplier: Nullable(PaymentSupplier),
  /** The date of supply for VAT: of a bill its date, otherwise the day of the payment; null before that. */
  supplied_on: Nullable(Day),
  lines: Type.Array(PaymentLine),
  payer: Type.Object({
    /** The client who confirmed the payment; only they can pay it. Null until one has. */
    client: Nullable(CaseClient),
    own_card: Nullable(Type.Boolean()),
    /** The name on the card. */
    name: Nullable(Type.String()),
  }),
  /** What this client confirmed; null for a payment that they did not confirm. */
  confirmation: Nullable(
    Type.Object({ receipt_email: Nullable(Type.String()), wording: Nullable(Type.String()) }),
  ),
  /** The client who cancelled it; null if it is not cancelled, or expired. */
  cancelled_by: Nullable(CaseClient),
  /** The card that paid, or was declined; `wallet`: where the client kept it. */
  card: Nullable(
    Type.Object({ brand: Type.String(), last4: Type.String(), wallet: Nullable(OneOf(cardWallets)) }),
  ),
  /** How the payer's statement shows it; null for a payment that is not paid, and while the provider does not say. */
  statement_descriptor: Nullable(Type.String()),
  failure: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  refunded_amount: Pence,
  /** Refunds that failed at the provider; `refunded_amount` is without them. */
  failed_refund_amount: Pence,
  /** Each refund that the provider has, oldest first. */
  refunds: Type.Array(
    Type.Object({
      id: Id,
      amount: Pence,
      status: OneOf(refundStatuses),
      created_at: Instant,
      /** When it failed or was cancelled. */
      failed_at: Nullable(Instant),
    }),
  ),
  /**
   * The day on which the money reached the firm, or is expected to. Null for a payment that is not paid or is fully
   * refunded.
   */
  clearing: Nullable(Type.Object({ is_cleared: Type.Boolean(), on: Day })),
  /** The mail of the receipt, only for the client who paid; `sent_at` is null until the mail server has accepted it. */
  receipt_mail: Nullable(Type.Object({ to: Type.String(), sent_at: Nullable(Instant) })),
  /** The latest dispute of the payer's bank, which may take the money back. */
  dispute: Nullable(Type.Object({ status: OneOf(disputeStatuses), amount: Pence, opened_at: Instant })),
  /** The firm is reviewing the payment and will contact the client: it must not be paid again, whatever its status. */
  under_review: Type.Boolean(),
  /** With `sandbox` no money was moved. */
  provider: OneOf(paymentProviders),
});
export type Payment = Static<typeof Payment>;

/** What the browser needs to pay at the provider; contains nothing about the card. */
export const PaymentIntent = Type.Object({
  payment_id: Id,
  provider: OneOf(paymentProviders),
  publishable_key: Type.String(),
  /**
   * Pays the intent. Only for the client who confirmed the payment; null for anyone else, and until it is confirmed.
   */
  client_secret: Nullable(Type.String()),
  amount: Pence,
  currency: Type.Literal('gbp'),
  status: OneOf(paymentStatuses),
  /** How the payer's statement will show it; null while the provider does not say. */
  statement_descriptor: Nullable(Type.String()),
});
export type PaymentIntent = Static<typeof PaymentIntent>;

/** A link that the firm mailed to this client, and what it leads to now. */
export const PaymentLink = Type.Object({
  id: Id,
  created_at: Instant,
  case: Type.Object({ id: Id, reference: Type.String() }),
  description: Type.String(),
  case_search_id: Nullable(Id),
  bill: Nullable(Type.Object({ id: Id, number: Type.String() })),
  /** Null for a search. */
  category: Nullable(OneOf(otherPaymentCategories)),
  matter_id: Nullable(Id),
  /** What is to pay now. */
  amount: Pence,
  /** What was to pay when the link was sent. */
  sent_amount: Pence,
  state: OneOf(paymentLinkStates),
});
export type PaymentLink = Static<typeof PaymentLink>;

/** The notice of a part that is in maintenance. */
export const MaintenanceNotice = Type.Object({
  /** A message from the firm; null for the default one. */
  message: Nullable(Type.String()),
  /** When the maintenance is expected to end. */
  until: Nullable(Instant),
});
export type MaintenanceNotice = Static<typeof MaintenanceNotice>;

/** The parts of the dashboard that can be in maintenance; null for a part that works. */
export const Maintenance = Type.Object({
  general: Nullable(MaintenanceNotice),
  case_history: Nullable(MaintenanceNotice),
});
export type Maintenance = Static<typeof Maintenance>;

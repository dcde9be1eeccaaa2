import { type Static, Type } from 'typebox';
import { CaseSearch, Handler, HistoryEntry, Milestone, Party, Property } from '../entities/case-entities.ts';
import { Bill } from '../entities/payment-entities.ts';
import { AddedField, Day, Id, Instant, Nullable, OneOf, Pence } from '../entities/values.ts';
import { FeedExchange, FeedLedger } from '../feed.ts';
import {
  bindingMoments,
  cancellationPeriods,
  caseStatuses,
  disputeStatuses,
  documentGroups,
  matterFeatures,
  matterTypes,
  orderObstacles,
  paymentMethods,
  paymentPurposes,
  paymentStatuses,
  signingMethods,
  taskKinds,
  taskStatuses,
} from '../vocabulary.ts';

/* One case as staff see and edit it. */

/** Identifies the content of a record: an edit names the version that it is based on. */
export const RecordVersion = Type.String({ minLength: 16, maxLength: 16, pattern: '^[0-9a-f]+$' });

/** The source of a record. When the firm’s system sends the record again, it overwrites edits made at the desk. */
const origin = {
  reference: Type.String(),
  version: RecordVersion,
  /** Whether it was added at the desk. */
  is_from_desk: Type.Boolean(),
  /** When the firm’s system last sent a change of it; null if never, or before release 0.2. */
  sent_at: Nullable(Instant),
};

const NamedClient = Type.Object({ id: Id, name: Type.String() });

export const InvitationState = OneOf(['open', 'used', 'expired']);

export const DeskClient = Type.Object({
  id: Id,
  reference: Type.String(),
  title: Nullable(Type.String()),
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.String(),
  /** The address in the firm’s system, and when the client changed theirs; null unless the client has changed it. */
  own_email: Nullable(
    Type.Object({
      firm_email: Type.String(),
      /** Null if the audit log has no entry of the change. */
      changed: Nullable(Type.Object({ at: Instant, by: Type.String() })),
    }),
  ),
  /**
   * The former address of a change that was undone, until the client has proved who they are; null without one. If it is not
   * `email`, another client has it, and someone else may read `email`.
   */
  unrestored_email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  /** The client’s own change of the phone number; null once the firm’s system has sent another one, or if there is none. */
  own_phone: AddedField(
    Nullable(
      Type.Object({
        /** The number that the firm’s system last sent; null if it sent none. */
        firm_phone: Nullable(Type.String()),
        changed_at: Instant,
        /** Whether the number is so new that it must not be used to check who someone is. */
        is_recent: Type.Boolean(),
        /** The number before the recent changes; null if there was none. */
        former_phone: Nullable(Type.String()),
      }),
    ),
  ),
  /** Whether the client has chosen a password. */
  is_activated: Type.Boolean(),
  /** The latest invitation, or link after a reset of the sign-in, that was emailed; null if there is none. */
  invitation: Nullable(
    Type.Object({
      state: InvitationState,
      is_reset: Type.Boolean(),
      sent_at: Instant,
      expires_at: Instant,
    }),
  ),
  /** Null if unknown, because old sign-ins are deleted. */
  last_signed_in_at: Nullable(Instant),
  /** Whether the client is prevented from signing in. */
  is_disabled: Type.Boolean(),
  /** Sign-ins that have not ended or expired. */
  open_sessions: Type.Integer(),
});
export type DeskClient = Static<typeof DeskClient>;

/** A milestone as the first client of the case sees it, with the staff’s original texts. */
export const DeskMilestone = Type.Object({
  ...Milestone.properties,
  version: RecordVersion,
  /**
   * The firm’s own words. The screen shows `waiting_for` and `also_waiting`, which Keyturn derives from them and from the
   * state of the case.
   */
  /** Whether this step or its whole case is quiet. Clients never see it. */
  is_quiet: AddedField(Type.Boolean()),
  own_waiting_for: Nullable(Type.String()),
  own_waiting_since: Nullable(Day),
  /** What the first client reads without the firm’s own words; null unless the step is under way. */
  derived_waiting: AddedField(
    Nullable(
      Type.Object({
        waiting_for: Type.String(),
        /**
         * `certain`: the firm’s words are added, until the next event of the step. `known`: they replace it, until the
         * next event. `usual`: they replace it.
         */
        basis: OneOf(['certain', 'known', 'usual']),
        /** Whether the firm’s present words are not shown: an event was later, or they start with “You”. */
        is_own_outdated: Type.Boolean(),
      }),
    ),
  ),
});
export type DeskMilestone = Static<typeof DeskMilestone>;

export const DeskMatter = Type.Object({
  id: Id,
  ...origin,
  matter_type: OneOf(matterTypes),
  status: OneOf(caseStatuses),
  property: Property,
  parties: Type.Array(Party),
  target_exchange_on: Nullable(Day),
  target_completion_on: Nullable(Day),
  exchanged_on: Nullable(Day),
  completed_on: Nullable(Day),
  /** Null until the exchange is marked at the desk or sent by the firm’s system with its details. */
  exchange: AddedField(Nullable(FeedExchange)),
  features: AddedField(Type.Array(OneOf(matterFeatures))),
  /** The balances that the firm’s system sent; null if it sends none. */
  ledger: AddedField(Nullable(FeedLedger)),
  /** In the order of the path. */
  milestones: Type.Array(DeskMilestone),
});
export type DeskMatter = Static<typeof DeskMatter>;

/** The payment that reserves a search or has paid for it. */
export const SearchMoney = Type.Object({
  id: Id,
  status: OneOf(paymentStatuses),
  amount: Pence,
  refunded_amount: Pence,
  method: OneOf(paymentMethods),
  /** The client who confirmed the payment; before that, the client who started it. */
  client: NamedClient,
  started_at: Instant,
  paid_at: Nullable(Instant),
  /**
   * Whether the payment is neither paid nor cancelled. While it is open, the search cannot be ordered, cancelled or
   * priced again.
   */
  is_under_way: Type.Boolean(),
  dispute: Nullable(OneOf(disputeStatuses)),
  /** What the order of a paid search waits for; null if it can be ordered. */
  waits_for: AddedField(Nullable(OneOf(orderObstacles))),
  /** The client’s request to order the search, in the words that they were shown; null if none is recorded. */
  order_request: AddedField(
    Nullable(
      Type.Object({
        words: Type.String(),
        client: NamedClient,
        requested_at: Instant,
        /** When it was filed as a document of the case, and its email to the client queued; null until then. */
        filed_at: Nullable(Instant),
      }),
    ),
  ),
});
export type SearchMoney = Static<typeof SearchMoney>;

export const DeskSearch = Type.Object({
  ...CaseSearch.properties,
  ...origin,
  /** What the supplier pays back to the firm. */
  rebate: AddedField(Nullable(Pence)),
  money: Nullable(SearchMoney),
});
export type DeskSearch = Static<typeof DeskSearch>;

export const DeskDocument = Type.Object({
  id: Id,
  ...origin,
  matter_id: Id,
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
  signing: Nullable(OneOf(signingMethods)),
  binds_on: Nullable(OneOf(bindingMoments)),
  received_on: Nullable(Day),
  /** The signed originals of single clients that the firm has received. */
  originals: AddedField(
    Type.Array(Type.Object({ client: NamedClient, client_reference: Type.String(), received_on: Day })),
  ),
  /** Whether clients confirm their identity when they sign it on the screen. */
  confirm_identity: AddedField(Type.Boolean()),
  /** The earlier version that it replaces, and the later one that replaces it. */
  supersedes: Nullable(Id),
  superseded_by: Nullable(Id),
  /** Each client who has opened it. */
  reads: Type.Array(Type.Object({ client: NamedClient, read_at: Instant })),
  /** Each client who has opened it or was sent its file, with the first time. */
  seen_by: Type.Array(Type.Object({ client: NamedClient, seen_at: Instant })),
  /** Since when clients can no longer open it; null while they can. */
  withdrawn_at: Nullable(Instant),
  /** The only client who can see it; null for everyone on the case. They may have left the case. */
  for_client: AddedField(Nullable(Type.Object({ ...NamedClient.properties, reference: Type.String() }))),
  /** Whether clients cannot see it yet, because it is the result of a search that is not reviewed. */
  awaits_check: AddedField(Type.Boolean()),
  /** Each client who has signed it in Keyturn. */
  signatures: Type.Array(Type.Object({ client: NamedClient, signed_at: Instant })),
});
export type DeskDocument = Static<typeof DeskDocument>;

export const DeskTask = Type.Object({
  id: Id,
  ...origin,
  kind: OneOf(taskKinds),
  title: Type.String(),
  explanation: Type.String(),
  due_on: Nullable(Day),
  status: OneOf(taskStatuses),
  amount: Nullable(Pence),
  matter_id: Nullable(Id),
  case_search_id: Nullable(Id),
  document_id: Nullable(Id),
});
export type DeskTask = Static<typeof DeskTask>;

/** A summary of a payment. */
export const DeskPayment = Type.Object({
  id: Id,
  status: OneOf(paymentStatuses),
  category: OneOf(paymentPurposes),
  description: Type.String(),
  method: OneOf(paymentMethods),
  amount: Pence,
  refunded_amount: Pence,
  client: NamedClient,
  started_at: Instant,
  paid_at: Nullable(Instant),
  case_search_id: Nullable(Id),
  bill_id: Nullable(Id),
  under_review: Type.Boolean(),
  dispute: Nullable(OneOf(disputeStatuses)),
});
export type DeskPayment = Static<typeof DeskPayment>;

/** A bill as clients see it, and whether its lines can be changed. */
export const DeskBill = Type.Object({
  ...Bill.properties,
  reference: AddedField(Type.String()),
  version: AddedField(RecordVersion),
  /**
   * Why its lines no longer change: a payment of it is `open`, or some of it was `paid`, here or by other means. Null while they
   * can.
   */
  lines_fixed_by: AddedField(Nullable(OneOf(['open', 'paid']))),
});
export type DeskBill = Static<typeof DeskBill>;

export const DeskCase = Type.Object({
  id: Id,
  reference: Type.String(),
  title: Type.String(),
  status: OneOf(caseStatuses),
  created_at: Instant,
  version: AddedField(RecordVersion),
  /** The clients’ right to cancel the firm’s services. */
  cancellation: AddedField(OneOf(cancellationPeriods)),
  /** Its last day; null unless it `ends_on` a day. */
  cancellation_ends_on: AddedField(Nullable(Day)),
  /** Whether the firm gave the notice of it, and the cost of an early start. */
  cancellation_notice_given: AddedField(Type.Boolean()),
  /** Whether the whole case is quiet. Clients never see it. */
  is_quiet: AddedField(Type.Boolean()),
  handlers: Type.Array(Handler),
  /** Sorted by reference; `milestones` are as the first client sees them. */
  clients: Type.Array(DeskClient),
  matters: Type.Array(DeskMatter),
  searches: Type.Array(DeskSearch),
  /** Newest first. */
  documents: Type.Array(DeskDocument),
  tasks: Type.Array(DeskTask),
  /** Without cancelled ones. */
  bills: Type.Array(DeskBill),
  /** The newest fifty, without cancelled ones. */
  payments: Type.Array(DeskPayment),
  /** The newest thirty entries. */
  history: Type.Array(HistoryEntry),
});
export type DeskCase = Static<typeof DeskCase>;

/** The part of the error `changed_meanwhile` that describes the change since the version that an edit names. */
export const RecordConflict = Type.Object({
  /** The staff member or system that changed it; null if unknown. */
  changed_by: Nullable(Type.String()),
  changed_at: Nullable(Instant),
  /** The current record, in the same form as in the case. */
  current: Type.Unknown(),
});
export type RecordConflict = Static<typeof RecordConflict>;

import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { body, IdInput } from '../calls/call-definition.ts';
import { Day, Nullable, OneOf } from '../entities/values.ts';
import { FeedBillLine, FeedExchange } from '../feed.ts';
import {
  bindingMoments,
  cancellationPeriods,
  caseSearchOutcomes,
  caseStatuses,
  documentGroups,
  matterFeatures,
  milestoneStatuses,
  searchRequirements,
  signingMethods,
  taskStatuses,
} from '../vocabulary.ts';
import { RecordVersion } from './case-at-desk.ts';
import { maxBillLines, maxUpdateLength } from './staff-vocabulary.ts';

/* What staff send to add and edit the records of a case. */

export const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' });
/** The id of a new record, chosen by the desk, so that repeating the request adds no second record. */
export const NewId = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
});
export const Maybe = Type.Optional;
/** If left out, the value stays unchanged; null removes it. */
export const Removable = <Schema extends TSchema>(schema: Schema) => Maybe(Nullable(schema));

/** Edits the named fields. The response has the record, and the edit that undoes the change. */
const edit = <Fields extends TProperties>(fields: Fields) =>
  body({
    version: RecordVersion,
    changes: Type.Object(fields, { additionalProperties: false, minProperties: 1 }),
    /** Whether the edit undoes an earlier one, and so may restore values such as a missed promise. */
    is_undo: Maybe(Type.Literal(true)),
  });

const Price = Type.Object(
  {
    net: Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'Pence' }),
    vat_rate: Type.Number({ minimum: 0, maximum: 100, description: 'Percent' }),
    vat: Maybe(
      Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'Pence; default: net at the rate' }),
    ),
  },
  { additionalProperties: false },
);
export const searchFields = {
  name: Text(200),
  supplier: Text(200),
  explanation: Text(1000),
  price: Price,
  refund_rule: Text(1000),
  required_by: OneOf(searchRequirements),
};
/** A file that was uploaded before. */
export const File = { file_id: NewId, file_name: Text(200) };

export const milestoneEdit = edit({
  status: Maybe(OneOf(milestoneStatuses)),
  /** Needed for `done`. */
  reached_on: Removable(Day),
  waiting_for: Removable(Text(200)),
  waiting_since: Removable(Day),
  /** The promised day, today or later. */
  next_update_by: Removable(Day),
  expected_from: Removable(Day),
  expected_to: Removable(Day),
});
export const datesEdit = edit({
  target_exchange_on: Removable(Day),
  target_completion_on: Removable(Day),
  completed_on: Removable(Day),
});
export const featuresEdit = edit({
  /** All features of the matter. */
  features: Type.Array(OneOf(matterFeatures), { uniqueItems: true }),
});
/** Marks the exchange of contracts, with all that is agreed on that day, or corrects what was entered about it. */
export const exchangeMark = body({
  version: RecordVersion,
  /** Today or earlier. */
  exchanged_on: Day,
  /** The completion date that the contracts name. */
  completion_on: Day,
  /** Null: no deposit is paid. */
  deposit: Nullable(Type.Object(FeedExchange.properties.deposit.properties, { additionalProperties: false })),
  authorised_by: Text(200),
  authorised_on: Day,
});
/** Takes back an exchange that was marked by mistake. The clients get an update with the reason. */
export const exchangeUndo = body({
  version: RecordVersion,
  /** Identifies the update, so that repeating the request sends no second one. */
  update_id: NewId,
  reason: Text(500),
  /** The day on which completion is planned now; null if there is none. */
  completion_on: Nullable(Day),
});
/** Makes a case or a step quiet, or ends that. */
export const quietEdit = body({
  /** Null: the whole case. */
  milestone_id: Nullable(IdInput),
  is_quiet: Type.Boolean(),
});
export const statusEdit = body({
  /** The matters that change. The status of the case follows from those of all its matters. */
  matters: Type.Array(
    Type.Object(
      {
        id: IdInput,
        version: RecordVersion,
        status: OneOf(caseStatuses),
        /** Needed for `completed` if the day is not known yet. */
        completed_on: Removable(Day),
      },
      { additionalProperties: false },
    ),
    { minItems: 1, maxItems: 20 },
  ),
  /** Sent to the clients as an update. It cannot be undone. */
  update: Nullable(Type.Object({ id: NewId, text: Text(maxUpdateLength) }, { additionalProperties: false })),
  /** Whether the edit undoes an earlier one, and so may restore statuses that only the firm’s system can set. */
  is_undo: Maybe(Type.Literal(true)),
});
export const cancellationEdit = edit({
  cancellation: Maybe(OneOf(cancellationPeriods)),
  /** Needed for `ends_on`; any other period removes it. */
  cancellation_ends_on: Removable(Day),
  /** Needed for `ends_on`: the firm gave the notice of the right to cancel and the cost of an early start. */
  cancellation_notice_given: Removable(Type.Boolean()),
});
const estimateEdit = {
  estimate: Removable(Type.Integer({ minimum: 1, maximum: 200_000_000 })),
  above_estimate: Removable(Text(500)),
};
/** Pence. */
const SearchSum = Type.Integer({ minimum: 0, maximum: 20_000_000 });

export const searchEdit = edit({
  name: Maybe(searchFields.name),
  supplier: Maybe(searchFields.supplier),
  explanation: Maybe(searchFields.explanation),
  price: Maybe(searchFields.price),
  supplier_cost: Removable(SearchSum),
  rebate: Removable(SearchSum),
  ...estimateEdit,
  refund_rule: Maybe(searchFields.refund_rule),
  required_by: Maybe(searchFields.required_by),
  expected_on: Removable(Day),
  delayed_reason: Removable(Text(500)),
  valid_until: Removable(Day),
  outcome: Maybe(OneOf(caseSearchOutcomes)),
  outcome_summary: Removable(Text(1000)),
});
export const documentEdit = edit({
  title: Maybe(Text(300)),
  group: Maybe(OneOf(documentGroups)),
  /** Also adds the task to sign it, or completes that task. */
  signing: Removable(OneOf(signingMethods)),
  binds_on: Removable(OneOf(bindingMoments)),
  received_on: Removable(Day),
  /** All signed originals that the firm has. Once everyone’s is there, the document is received. */
  originals: Removable(Type.Array(Type.Object({ client: Text(100), received_on: Day }), { maxItems: 20 })),
  /** Can only be switched on once the document is signed. */
  confirm_identity: Maybe(Type.Boolean()),
  /** The reference of the only client who can see it; null for everyone on the case. */
  for_client: Removable(Text(100)),
});
export const taskEdit = edit({
  status: Maybe(OneOf(taskStatuses)),
  title: Maybe(Text(200)),
  explanation: Maybe(Text(1000)),
  due_on: Removable(Day),
});
export const billEdit = edit({
  /** All lines of the bill, in its order. */
  lines: Type.Array(
    Type.Object({ ...FeedBillLine.properties, description: Text(300) }, { additionalProperties: false }),
    { minItems: 1, maxItems: maxBillLines },
  ),
  ...estimateEdit,
});

export type MilestoneEdit = Static<typeof milestoneEdit.schema>;
export type DatesEdit = Static<typeof datesEdit.schema>;
export type FeaturesEdit = Static<typeof featuresEdit.schema>;
export type ExchangeMark = Static<typeof exchangeMark.schema>;
export type ExchangeUndo = Static<typeof exchangeUndo.schema>;
export type QuietEdit = Static<typeof quietEdit.schema>;
export type StatusEdit = Static<typeof statusEdit.schema>;
export type CancellationEdit = Static<typeof cancellationEdit.schema>;
export type SearchEdit = Static<typeof searchEdit.schema>;
export type DocumentEdit = Static<typeof documentEdit.schema>;
export type TaskEdit = Static<typeof taskEdit.schema>;
export type BillEdit = Static<typeof billEdit.schema>;

import { type Static, Type } from 'typebox';
import { body, IdInput } from '../../calls/call-definition.ts';
import { AddedField, Day, Id, Instant, Nullable, OneOf, Pence } from '../../entities/values.ts';
import { deskDefaults, type StaffCallDefinition } from '../staff-call-definition.ts';
import { staffRoles } from '../staff-entities.ts';
import { formerTodayKinds, todayKindNames, todayLists, todayUrgencies } from './today-vocabulary.ts';

const MemberName = Type.Object({ id: Id, name: Type.String() });

/** The decisions of staff about an item. */
export const TodayItemState = Type.Object({
  /** For the next change; 0 if no one has changed the item. */
  version: Type.Integer(),
  assigned_to: Nullable(MemberName),
  /** Hidden until this day. */
  snoozed_until: Nullable(Day),
  is_done: Type.Boolean(),
});
export type TodayItemState = Static<typeof TodayItemState>;

/** Something to do, derived from the data of a case. */
export const TodayItem = Type.Object({
  kind: OneOf(todayKindNames),
  /** The id of the case, search, document, task, client, payment, refund, dispute or bill. */
  subject_id: Id,
  /** Changes when the same subject needs attention again, so that earlier decisions no longer apply. */
  occasion: Type.String(),
  urgency: OneOf(todayUrgencies),
  case: Type.Object({ id: Id, reference: Type.String(), title: Type.String() }),
  /** Everyone on the case. */
  clients: Type.Array(Type.String()),
  /** The step, search, document, task, person or bill. */
  name: Nullable(Type.String()),
  amount: Nullable(Pence),
  /** Null unless the item is about a payment. */
  payment_id: Nullable(Id),
  /** The day on which this started to need attention. */
  since: Day,
  /** The day by which something has to be done; null without one. */
  due_on: Nullable(Day),
  state: TodayItemState,
});
export type TodayItem = Static<typeof TodayItem>;

export const Today = Type.Object({
  /** In London. */
  today: Day,
  checked_at: Instant,
  /** The most urgent first, at most 200 in both lists. */
  items: Type.Array(Type.Object({ ...TodayItem.properties, kind: OneOf(formerTodayKinds) })),
  added_items: AddedField(Type.Array(TodayItem)),
  /** How many items each list has. */
  counts: Type.Object({
    mine: Type.Integer(),
    all: Type.Integer(),
    unassigned: Type.Integer(),
    snoozed: Type.Integer(),
  }),
  /** Active staff members, to whom items can be assigned. */
  members: Type.Array(Type.Object({ ...MemberName.properties, role: OneOf(staffRoles) })),
});
export type Today = Static<typeof Today>;

/** The calls of *Today*. */
export const todayCalls = {
  'GET /staff/today': {
    summary: 'List what needs attention from members with the caller’s role',
    ...deskDefaults,
    access: staffRoles,
    query: Type.Object({ list: Type.Optional(OneOf(todayLists)) }, { additionalProperties: false }),
    data: Today,
    errors: ['unauthenticated', 'factor_required', 'invalid_input'],
  },
  'PUT /staff/today/{kind}/{id}': {
    summary:
      'Assign an item, hide it until a day, or mark it as done; fields that are left out do not change',
    ...deskDefaults,
    access: staffRoles,
    params: Type.Object({ kind: Type.String(), id: Id }),
    body: body({
      occasion: Type.String({ maxLength: 200 }),
      version: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
      assigned_to: Type.Optional(Nullable(IdInput)),
      snoozed_until: Type.Optional(Nullable(Type.String({ format: 'date', maxLength: 10 }))),
      is_done: Type.Optional(Type.Boolean()),
    }),
    data: TodayItemState,
    errors: [
      'unauthenticated',
      'not_from_desk',
      'factor_required',
      'not_found',
      'invalid_input',
      'item_changed',
    ],
  },
} as const satisfies Record<string, StaffCallDefinition>;
export type TodayCallKey = keyof typeof todayCalls;

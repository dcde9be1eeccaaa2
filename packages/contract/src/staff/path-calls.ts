import { type Static, Type } from 'typebox';
import { body } from '../calls/call-definition.ts';
import { OneOf } from '../entities/values.ts';
import { matterTypes } from '../vocabulary.ts';
import { deskDefaults, type StaffCallDefinition } from './staff-call-definition.ts';

const admins = ['admin'] as const;
const params = Type.Object({ matter_type: OneOf(matterTypes) });
const version = Type.Integer({ minimum: 1, maximum: 2_147_483_646 });

/** A step of a path, and how many running matters it concerns. */
const AffectedStep = Type.Object({ key: Type.String(), title: Type.String(), matters: Type.Integer() });

/** What would change if running matters got the current path of their type. */
export const PathPreview = Type.Object({
  /** The version of the current path. */
  version: Type.Integer(),
  /** Running matters with an earlier path that would get the current one. */
  changing: Type.Integer(),
  /** Running matters that keep their path, because the current one lacks steps that they have used. */
  keeping: Type.Integer(),
  /** The steps because of which they keep their path. */
  used: Type.Array(AffectedStep),
  /** `passed` of the matters have reached a later step, so that the new one is not needed there. */
  added: Type.Array(Type.Object({ ...AffectedStep.properties, passed: Type.Integer() })),
  removed: Type.Array(AffectedStep),
  /** Steps with changed texts, durations or positions. */
  changed: Type.Array(AffectedStep),
});
export type PathPreview = Static<typeof PathPreview>;

/** The calls with which admins give running matters a changed path. */
export const pathCalls = {
  'GET /staff/milestone-paths/{matter_type}/matters': {
    summary: 'Preview how the current path would change the running matters of its type',
    ...deskDefaults,
    access: admins,
    params,
    data: PathPreview,
    errors: ['unauthenticated', 'factor_required', 'role_not_permitted', 'invalid_input'],
  },
  'POST /staff/milestone-paths/{matter_type}/matters': {
    summary: 'Apply the current path to the next running matters of its type; repeat while some are left',
    ...deskDefaults,
    access: admins,
    confirmed: true,
    params,
    /** The version of the path that was previewed. */
    body: body({ version }),
    data: Type.Object({ changed: Type.Integer(), left: Type.Integer() }),
    errors: [
      'unauthenticated',
      'not_from_desk',
      'factor_required',
      'role_not_permitted',
      'identity_not_confirmed',
      'invalid_input',
      'changed_meanwhile',
    ],
  },
} as const satisfies Record<string, StaffCallDefinition>;
export type PathCallKey = keyof typeof pathCalls;

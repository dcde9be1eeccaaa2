import { Type } from 'typebox';
import { body, IdParam } from '../../calls/call-definition.ts';
import { deskDefaults } from '../staff-call-definition.ts';

export const admins = ['admin'] as const;
export const reading = ['unauthenticated', 'factor_required', 'role_not_permitted'] as const;
export const changing = [...reading, 'not_from_desk', 'not_found', 'integration_state'] as const;
export const confirming = [...changing, 'identity_not_confirmed'] as const;

export const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
/** The number of hours for which the previous secret still works. */
const Overlap = Type.Integer({ minimum: 0, maximum: 720 });
/** Shown once: it cannot be read again. */
const Secret = Type.String();

/** A change of a key or an endpoint, which the admin confirms. */
export const confirmedChange = {
  ...deskDefaults,
  access: admins,
  confirmed: true,
  params: IdParam,
  errors: confirming,
} as const;
export const creation = {
  ...deskDefaults,
  access: admins,
  confirmed: true,
  data: Type.Object({ id: Type.String(), secret: Secret }),
  errors: [...confirming, 'invalid_input'],
} as const;
export const rotation = {
  ...confirmedChange,
  body: body({ overlap_hours: Overlap }),
  data: Type.Object({ secret: Secret }),
  errors: [...confirming, 'invalid_input'],
} as const;
export const many = { minItems: 1, uniqueItems: true } as const;

import { type TProperties, Type } from 'typebox';
import type { CallDefinition } from '../calls/call-definition.ts';
import type { ErrorCode } from '../errors.ts';
import type { StaffErrorCode } from './staff-errors.ts';
import type { StaffRole } from './staff-vocabulary.ts';

/** One call of the staff API. Its key in `staffCalls` is `METHOD /path` below `/api`. */
export interface StaffCallDefinition
  extends Pick<CallDefinition, 'summary' | 'params' | 'query' | 'body' | 'data' | 'meta' | 'file'> {
  /** `anyone` needs no session; `enrolling` also works before the second factor is added; roles need one of them. */
  access: 'anyone' | 'enrolling' | readonly StaffRole[];
  /** The member must have proved who they are within the last five minutes. */
  confirmed?: true;
  /** The maximum size, in bytes, of a body that is a file, sent as `application/octet-stream`. */
  upload?: { maxBytes: number };
  errors: readonly (ErrorCode | StaffErrorCode)[];
}

/** A body with exactly these properties. */
export const body = <Properties extends TProperties>(properties: Properties) => ({
  schema: Type.Object(properties, { additionalProperties: false }),
  optional: false as const,
});

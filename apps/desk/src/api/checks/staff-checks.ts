import type { Check } from '@keyturn/browser/checks/check.ts';
import { checkOf } from '@keyturn/browser/checks/check-of.ts';
import {
  type StaffCallData,
  type StaffCallDefinition,
  type StaffCallKey,
  type StaffCalls,
  staffCalls,
} from '@keyturn/contract/staff';

/*
 * The checks of all answers. Loaded together with the first request, so that the first view does not wait for them.
 * The build compiles this module.
 */

/** The result of a call: a Blob for a file, undefined for an answer without a body. */
export type StaffAnswer<K extends StaffCallKey> = StaffCalls[K] extends { file: readonly string[] }
  ? Blob
  : StaffCallData<K>;

/** By call; null for a call that answers with a file or with nothing, both of which have no JSON to check. */
export const staffChecks = Object.fromEntries(
  Object.entries<StaffCallDefinition>(staffCalls).map(([key, { data }]) => [
    key,
    data ? checkOf(data) : null,
  ]),
) as unknown as { [K in StaffCallKey]: Check<StaffAnswer<K>> | null };

/** The media types of the calls that answer with a file. */
export const staffFiles = Object.fromEntries(
  Object.entries<StaffCallDefinition>(staffCalls).flatMap(([key, { file }]) => (file ? [[key, file]] : [])),
) as Partial<Record<StaffCallKey, readonly string[]>>;

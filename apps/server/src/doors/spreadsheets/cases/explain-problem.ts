import type { SpreadsheetField } from '@keyturn/contract/staff';
import { inUseReason, staleReason } from '../../../case-file/import/batches/write-changes.ts';

type List = 'clients' | 'cases' | 'matters';

/** Maps the start of a place in a record to the cell that it comes from. */
const fieldsByPlace: Record<List, [place: string, field: (position: 1 | 2) => SpreadsheetField | null][]> = {
  clients: [
    ['/email', (position) => `client_${position}_email`],
    ['/phone', (position) => `client_${position}_phone`],
    ['/', (position) => `client_${position}_name`],
    ['', (position) => `client_${position}_email`],
  ],
  cases: [
    ['/reference', () => 'case_reference'],
    ['/title', () => 'case_title'],
    ['/cancellation_notice_given', () => 'cancellation_notice_given'],
    ['/cancellation', () => 'cancellation'],
    ['/handlers/0/name', () => 'handler_name'],
    ['/handlers/0/role', () => 'handler_role'],
    ['/handlers/0/email', () => 'handler_email'],
    ['/handlers/0/phone', () => 'handler_phone'],
    ['/clients', () => 'client_1_email'],
    ['', () => null],
  ],
  matters: [
    ['/case', () => 'case_reference'],
    ['/reference', () => 'case_reference'],
    ['/property/address_lines', () => 'address_1'],
    ['/property/town', () => 'town'],
    ['/property/postcode', () => 'postcode'],
    ['/property/tenure', () => 'tenure'],
    ['/property/title_number', () => 'title_number'],
    ['/property/price', () => 'price'],
    ['/milestones', () => 'milestone'],
    ['/target_exchange_on', () => 'target_exchange_on'],
    ['/target_completion_on', () => 'target_completion_on'],
    ['/exchanged_on', () => 'exchanged_on'],
    ['', () => null],
  ],
};

/**
 * Finds the cell that a place of a record comes from.
 * @param place relative to the record, such as `/property/price`
 * @param position of the client in the row
 */
export function fieldOfPlace(list: List, place: string, position: 1 | 2): SpreadsheetField | null {
  if (list === 'matters' && place.endsWith('/reached_on')) return 'instructed_on';
  const [, field] = fieldsByPlace[list].find(([start]) => place.startsWith(start)) ?? [];
  return field?.(position) ?? null;
}

/** Rewords the reasons of an import for people who do not know the case feed. */
export function explainReason(reason: string): string {
  const [, max] = /^must have at most (\d+) characters$/.exec(reason) ?? [];
  if (max !== undefined) return `has more than ${max} characters`;
  return reasons[reason] ?? reason;
}

/** The reason for a row with a case that others kept changing during the import. */
export const staleProblem = 'was changed by someone else. Import the file again';

const reasons: Record<string, string> = {
  'is required': 'is empty',
  'must not be empty': 'is empty',
  'must be true: without the notice of the right to cancel, send `unknown`':
    'must be yes for a day. Leave both cells empty if the notice was not given',
  'is only for a cancellation that `ends_on` a day': 'is only for a right to cancel that ends on a day',
  'must be an email address such as name@example.com': 'isn’t an email address',
  [inUseReason]: 'was in use by someone else. Import the file again',
  [staleReason]: staleProblem,
};

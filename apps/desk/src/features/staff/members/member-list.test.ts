import type { ListedStaffMember } from '@keyturn/contract/staff';
import { expect, test } from 'vitest';
import { actionsFor, sortMembers } from './member-list.ts';

const member = (fields: Partial<ListedStaffMember>): ListedStaffMember => ({
  id: 'm',
  email: 'x@firm.test',
  name: null,
  role: 'handler',
  state: 'active',
  created_at: '2026-11-01T09:00:00Z',
  passkeys: 0,
  authenticators: 0,
  invitation_expires_at: null,
  last_signed_in_at: null,
  ...fields,
});
const names = (members: ListedStaffMember[]) => members.map(({ name, email }) => name ?? email);

test('sorts staff members by a column in both directions, and equal ones by name', () => {
  const members = [
    member({ name: 'Siân', role: 'admin', last_signed_in_at: '2026-11-20T09:00:00Z' }),
    member({ email: 'abbie@firm.test', state: 'invited' }),
    member({ name: 'Rhian', last_signed_in_at: '2026-11-22T09:00:00Z' }),
  ];
  const by = (key: string, direction: 'ascending' | 'descending') =>
    names(sortMembers(members, { key, direction }));
  expect(by('name', 'ascending')).toEqual(['abbie@firm.test', 'Rhian', 'Siân']);
  expect(by('role', 'descending')).toEqual(['abbie@firm.test', 'Rhian', 'Siân']);
  expect(by('signed_in', 'descending')).toEqual(['Rhian', 'Siân', 'abbie@firm.test']);
  expect(by('state', 'descending')).toEqual(['abbie@firm.test', 'Rhian', 'Siân']);
});

test('offers only what the state of a staff member allows', () => {
  const actions = (state: ListedStaffMember['state']) => actionsFor({ state }).map(({ name }) => name);
  expect(actions('invited')).toEqual(['Send the invitation again', 'Change role', 'Withdraw the invitation']);
  expect(actions('active')).toEqual(['Change role', 'Sessions', 'Reset sign-in', 'Disable']);
  expect(actions('disabled')).toEqual(['Enable', 'Change role']);
});

import type { ListedStaffMember } from '@keyturn/contract/staff';
import type { Sort } from '../../../ui/table/table.tsx';
import type { MemberAction } from './member-dialog.tsx';

/** The actions on a member, in the order of the menu. Actions that the state does not allow are left out. */
export function actionsFor({
  state,
}: Pick<ListedStaffMember, 'state'>): { action: MemberAction; name: string; isDangerous: boolean }[] {
  const all: Record<MemberAction, string> = {
    invite_again: 'Send the invitation again',
    change_role: 'Change role',
    sessions: 'Sessions',
    enable: 'Enable',
    reset: 'Reset sign-in',
    disable: state === 'invited' ? 'Withdraw the invitation' : 'Disable',
  };
  const possible: Record<ListedStaffMember['state'], MemberAction[]> = {
    invited: ['invite_again', 'change_role', 'disable'],
    active: ['change_role', 'sessions', 'reset', 'disable'],
    disabled: ['enable', 'change_role'],
  };
  return possible[state].map((action) => ({
    action,
    name: all[action],
    isDangerous: action === 'reset' || action === 'disable',
  }));
}

const states: ListedStaffMember['state'][] = ['active', 'invited', 'disabled'];

/** Sorts members by a column of their list, and then by name. */
export function sortMembers(
  members: readonly ListedStaffMember[],
  { key, direction }: Sort,
): ListedStaffMember[] {
  const nameOf = ({ name, email }: ListedStaffMember) => (name ?? email).toLowerCase();
  const sortKeyOf = (member: ListedStaffMember): string | number => {
    if (key === 'role') return member.role;
    if (key === 'state') return states.indexOf(member.state);
    if (key === 'signed_in') return member.last_signed_in_at ?? '';
    return nameOf(member);
  };
  const sign = direction === 'ascending' ? 1 : -1;
  return members.toSorted(
    (a, b) => sign * compare(sortKeyOf(a), sortKeyOf(b)) || compare(nameOf(a), nameOf(b)),
  );
}

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'string' ? a.localeCompare(String(b), 'en-GB') : a - Number(b);

import type { ListedStaffMember } from '@keyturn/contract/staff';
import { formatEntryMoment } from '@keyturn/format/dates';
import { StatusTag, type StatusTone } from '@keyturn/ui/content/status-tag.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callStaff, useMember } from '../../../api/desk-api.ts';
import { roleNames } from '../../../api/role-names.ts';
import { Button } from '../../../ui/base/button.tsx';
import { EmptyState, PageHead } from '../../../ui/base/page.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { type Column, type Sort, Table } from '../../../ui/table/table.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { type MemberAction, MemberDialog } from './member-dialog.tsx';
import { actionsFor, sortMembers } from './member-list.ts';
import styles from './members.module.css';

const membersKey = ['staff-members'] as const;

/** Where admins manage who can use the desk. */
export default function MembersPage() {
  const queries = useQueryClient();
  const members = useQuery({
    queryKey: membersKey,
    queryFn: ({ signal }) => callStaff('GET /staff/members', { signal }),
  });
  const [sort, setSort] = useState<Sort>({ key: 'name', direction: 'ascending' });
  const [isInviting, setInviting] = useState(false);
  const [chosen, setChosen] = useState<{ member: ListedStaffMember; action: MemberAction } | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: membersKey });
  const columns = useColumns((member, action) => setChosen({ member, action }));
  return (
    <>
      <PageHead
        title="Staff"
        actions={
          <Button look="primary" onClick={() => setInviting(true)}>
            Invite someone
          </Button>
        }
      >
        The people who can sign in to the desk, and their roles.
      </PageHead>
      <Table
        label="Staff members"
        columns={columns}
        query={{ ...members, data: members.data && sortMembers(members.data, sort) }}
        keyOf={({ id }) => id}
        empty={<EmptyState title="There are no staff members yet." />}
        sort={sort}
        onSort={setSort}
        isMain
      />
      <InviteDialog open={isInviting} onClose={() => setInviting(false)} onDone={refresh} />
      {chosen && <MemberDialog {...chosen} onClose={() => setChosen(null)} onDone={refresh} />}
    </>
  );
}

function useColumns(onChoose: (member: ListedStaffMember, action: MemberAction) => void) {
  const { id: ownId } = useMember();
  const today = useToday();
  const columns: Column<ListedStaffMember>[] = [
    {
      key: 'name',
      heading: 'Name',
      isRowHeader: true,
      sorts: 'ascending',
      cell: ({ id, name, email }) => (
        <>
          {name ?? email}
          {id === ownId && ' (you)'}
          {name && <span className={styles.email}>{email}</span>}
        </>
      ),
    },
    { key: 'role', heading: 'Role', sorts: 'ascending', cell: ({ role }) => roleNames[role] },
    {
      key: 'state',
      heading: 'State',
      sorts: 'ascending',
      cell: (member) => {
        const { tone, text } = stateOf(member);
        return <StatusTag tone={tone}>{text}</StatusTag>;
      },
    },
    { key: 'factors', heading: 'Second factors', cell: describeFactors },
    {
      key: 'signed_in',
      heading: 'Last signed in',
      sorts: 'descending',
      cell: ({ last_signed_in_at }) =>
        last_signed_in_at ? formatEntryMoment(last_signed_in_at, today) : 'Not in the last 90 days',
    },
    {
      key: 'actions',
      heading: 'Actions',
      isHeadingHidden: true,
      align: 'end',
      cell: (member) => (
        <Menu
          look="plain"
          about={`for ${member.name ?? member.email}`}
          items={actionsFor(member).map(({ action, name, isDangerous }) => ({
            name,
            isDangerous,
            onChoose: () => onChoose(member, action),
          }))}
        >
          Manage
        </Menu>
      ),
    },
  ];
  return columns;
}

function stateOf({ state, invitation_expires_at }: ListedStaffMember): { tone: StatusTone; text: string } {
  if (state === 'active') return { tone: 'good', text: 'Active' };
  if (state === 'disabled') return { tone: 'off', text: 'Disabled' };
  return invitation_expires_at
    ? { tone: 'moving', text: 'Invited' }
    : { tone: 'to-do', text: 'Invited, the link has expired or is being sent' };
}

function describeFactors({ state, passkeys, authenticators }: ListedStaffMember): string {
  if (state === 'invited') return 'None yet';
  const parts = [
    passkeys > 0 && (passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`),
    authenticators > 0 &&
      (authenticators === 1 ? '1 authenticator app' : `${authenticators} authenticator apps`),
  ].filter(Boolean);
  return parts.join(', ') || 'None';
}

import type { StaffSession } from '@keyturn/contract/staff';
import { formatEntryMoment } from '@keyturn/format/dates';
import { describeBrowser } from '@keyturn/format/describe-browser';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import type { ReactNode } from 'react';
import { EmptyState } from '../../../ui/base/page.tsx';
import { type Column, Table, type TableQuery } from '../../../ui/table/table.tsx';

/** The open sessions of a member. */
export function SessionsTable({
  query,
  action,
}: {
  query: TableQuery<StaffSession>;
  /** The buttons of a session. */
  action?: (session: StaffSession) => ReactNode;
}) {
  const today = useToday();
  const columns: Column<StaffSession>[] = [
    {
      key: 'browser',
      heading: 'Browser',
      isRowHeader: true,
      cell: ({ user_agent }) => describeBrowser(user_agent),
    },
    { key: 'address', heading: 'IP address', cell: ({ address }) => address },
    { key: 'since', heading: 'Signed in', cell: ({ created_at }) => formatEntryMoment(created_at, today) },
    { key: 'used', heading: 'Last used', cell: ({ last_used_at }) => formatEntryMoment(last_used_at, today) },
  ];
  if (action) columns.push({ key: 'action', heading: 'Actions', isHeadingHidden: true, cell: action });
  return (
    <Table
      label="Open sessions"
      columns={columns}
      query={query}
      keyOf={({ id }) => id}
      empty={<EmptyState title="No open sessions" />}
    />
  );
}

import type { StaffSession } from '@keyturn/contract/staff';
import { formatEntryMoment } from '@keyturn/dashboard/ui/format/format-date.ts';
import { useToday } from '@keyturn/dashboard/ui/format/use-today.ts';
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

/** Names browser and system if the browser’s description contains them: “Chrome on Windows”. */
export function describeBrowser(userAgent: string | null): string {
  const find = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const browser = find(browsers);
  const system = find(systems);
  if (!browser && !system) return 'Unknown browser';
  return system ? `${browser ?? 'A browser'} on ${system}` : (browser ?? 'Unknown browser');
}

/** The first match counts, because most browsers also name the browsers they descend from. */
const browsers = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|Chromium\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;

const systems = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux|X11/, 'Linux'],
] as const;

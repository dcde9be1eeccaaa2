import {
  type Today,
  type TodayItem,
  type TodayList,
  todayKinds,
  todayKindsOf,
  todayLists,
} from '@keyturn/contract/staff';
import { formatShortNearDay } from '@keyturn/format/dates';
import { formatDay, formatTime } from '@keyturn/format/london-time';
import { formatMoney } from '@keyturn/format/money';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useEffect, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { rememberCaseList } from '../../api/case-list.ts';
import { useMember } from '../../api/desk-api.ts';
import { EmptyState, PageHead } from '../../ui/base/page.tsx';
import { MissingFirmData, UndecidedPaymentRules } from '../../ui/feedback/missing-firm-data.tsx';
import { useShortcut } from '../../ui/keys/shortcuts.ts';
import { Menu } from '../../ui/overlays/menu.tsx';
import { useCurrentRow } from '../../ui/table/current-row.ts';
import { type Column, Table } from '../../ui/table/table.tsx';
import { AssignDialog } from './assign-dialog.tsx';
import { SnoozeDialog } from './snooze-dialog.tsx';
import styles from './today.module.css';
import { ageText, checkedText, kindTexts } from './today-kinds.ts';
import { type ShownToday, useItemChanges, useTodayList } from './today-queries.ts';

const listNames: Record<TodayList, string> = {
  mine: 'Mine',
  all: 'All',
  unassigned: 'Unassigned',
  snoozed: 'Snoozed',
};

type Decision = 'assign' | 'snooze' | 'show' | 'done';

/** What needs attention today. */
export default function TodayPage() {
  const { id: memberId, role } = useMember();
  const [, navigate] = useLocation();
  const [search] = useSearchParams();
  const list = todayLists.find((name) => name === search.get('list')) ?? defaultList(role);
  const query = useTodayList(list);
  const items = query.data?.items;
  const today = useToday();
  const [asking, setAsking] = useState<{ item: TodayItem; decision: 'assign' | 'snooze' } | null>(null);
  const { change, reportFailure } = useItemChanges();
  const rows = useCurrentRow(items ?? []);

  useEffect(() => {
    if (items) rememberCaseList('today', { memberId, caseIds: items.map((item) => item.case.id) });
  }, [items, memberId]);

  const decide = (item: TodayItem | undefined, decision: Decision) => {
    if (!item || !decisionsFor(item).includes(decision)) return;
    if (decision === 'assign' || decision === 'snooze') return setAsking({ item, decision });
    const changed =
      decision === 'done'
        ? change(item, { is_done: true }, { done: 'Marked as seen.', undone: 'Back on the list.' })
        : change(item, { snoozed_until: null }, { done: 'Back on the list.', undone: 'Snoozed again.' });
    changed.catch(reportFailure);
  };
  const onPage = (keys: string, name: string) => ({ keys, name, group: 'In a list' as const });
  useShortcut(onPage('a', 'Assign the row'), () => decide(rows.current(), 'assign'));
  useShortcut(onPage('s', 'Snooze the row, or show it again'), () => {
    decide(rows.current(), 'snooze');
    decide(rows.current(), 'show');
  });
  useShortcut(onPage('d', 'Mark a signed document as seen'), () => decide(rows.current(), 'done'));

  return (
    <>
      <PageHead title="Today">{formatDay(today)}</PageHead>
      {role === 'admin' && <MissingFirmData className={styles.notice} />}
      <UndecidedPaymentRules className={styles.notice} />
      <Lists current={list} counts={query.data?.counts} />
      <div ref={rows.container}>
        <Table
          label={`Today: ${listNames[list]}`}
          columns={columnsFor(today, decide)}
          query={{ ...query, data: items }}
          keyOf={keyOf}
          onOpen={(item) => navigate(kindTexts[item.kind].path(item))}
          empty={query.data && <NothingToDo list={list} answer={query.data} />}
          isMain
          announcesChanges
        />
      </div>
      {query.data && query.data.items.length < query.data.counts[list] && (
        <p className={styles.more}>
          These are the {query.data.items.length} most urgent of {query.data.counts[list]}.
        </p>
      )}
      {asking?.decision === 'assign' && query.data && (
        <AssignDialog item={asking.item} members={query.data.members} onClose={() => setAsking(null)} />
      )}
      {asking?.decision === 'snooze' && (
        <SnoozeDialog item={asking.item} today={today} onClose={() => setAsking(null)} />
      )}
    </>
  );
}

/** Handlers start with their own cases, other roles with all cases. */
const defaultList = (role: string): TodayList => (role === 'handler' ? 'mine' : 'all');

const keyOf = ({ kind, subject_id }: TodayItem) => `${kind} ${subject_id}`;

const decisionNames: Record<Decision, string> = {
  assign: 'Assign',
  snooze: 'Snooze',
  show: 'Show again now',
  done: 'Mark as seen',
};

const decisionsFor = ({ kind, state }: TodayItem): Decision[] => [
  ...(todayKinds[kind].endedBy === 'staff' ? (['done'] as const) : []),
  'assign',
  state.snoozed_until === null ? 'snooze' : 'show',
];

function Lists({ current, counts }: { current: TodayList; counts: Today['counts'] | undefined }) {
  return (
    <nav className={styles.lists} aria-label="Lists">
      {todayLists.map((list) => (
        <Link key={list} to={`/?list=${list}`} aria-current={list === current ? 'page' : undefined} replace>
          {listNames[list]}
          {counts && <span className={styles.count}> {counts[list]}</span>}
        </Link>
      ))}
    </nav>
  );
}

function columnsFor(
  today: string,
  decide: (item: TodayItem, decision: Decision) => void,
): Column<TodayItem>[] {
  return [
    {
      key: 'what',
      heading: 'What',
      isRowHeader: true,
      cell: (item) => (
        <>
          {kindTexts[item.kind].name}{' '}
          {item.urgency === 'late' && (
            <StatusTag tone="to-do" followsText>
              Late
            </StatusTag>
          )}
          {item.urgency === 'today' && (
            <StatusTag tone="moving" followsText>
              Today
            </StatusTag>
          )}
          {item.name && (
            <span className={styles.detail}>
              {item.name}
              {item.amount !== null && `, ${formatMoney(item.amount)}`}
            </span>
          )}
        </>
      ),
    },
    {
      key: 'case',
      heading: 'Case',
      cell: (item) => (
        <div>
          {item.clients.join(' and ')}
          <span className={styles.detail}>
            {item.case.title}, <span className={styles.unbroken}>{item.case.reference}</span>
          </span>
        </div>
      ),
    },
    {
      key: 'since',
      heading: 'Since',
      cell: ({ since, due_on, state }) => (
        <div>
          <span className={styles.unbroken}>{ageText(since, today)}</span>
          <span className={styles.detail}>
            {state.snoozed_until
              ? `snoozed until ${formatShortNearDay(state.snoozed_until, today)}`
              : due_on !== null && due_on >= today
                ? `by ${formatShortNearDay(due_on, today)}`
                : formatShortNearDay(since, today)}
          </span>
        </div>
      ),
    },
    { key: 'assigned', heading: 'Assigned to', cell: ({ state }) => state.assigned_to?.name ?? 'No one' },
    {
      key: 'actions',
      heading: 'Actions',
      isHeadingHidden: true,
      align: 'end',
      cell: (item) => (
        <span className={styles.actions}>
          <Link to={kindTexts[item.kind].path(item)} className={styles.action}>
            {kindTexts[item.kind].action}
          </Link>
          <Menu
            look="plain"
            about={`with ${kindTexts[item.kind].name}, ${item.case.reference}`}
            items={decisionsFor(item).map((decision) => ({
              name: decisionNames[decision],
              onChoose: () => decide(item, decision),
            }))}
          >
            More
          </Menu>
        </span>
      ),
    },
  ];
}

/** Shows what was checked, and when, so that members can trust an empty list. */
function NothingToDo({ list, answer: { counts, checked_at } }: { list: TodayList; answer: ShownToday }) {
  const { role } = useMember();
  const checked = `Checked at ${formatTime(checked_at)}: ${checkedText(todayKindsOf(role))}.`;
  if (list === 'snoozed') return <EmptyState title="Nothing is snoozed." />;
  if (counts.all === 0 && counts.snoozed === 0)
    return <EmptyState title="Nothing needs attention today."> {checked}</EmptyState>;
  const elsewhere = [
    counts.all > 0 && `${counts.all} in the All list`,
    counts.snoozed > 0 && `${counts.snoozed} snoozed`,
  ].filter(Boolean);
  return (
    <EmptyState
      title={
        list === 'mine'
          ? 'Nothing assigned to you needs attention.'
          : list === 'unassigned'
            ? 'Everything is assigned.'
            : 'Nothing needs attention now.'
      }
    >
      {` ${checked} There are ${elsewhere.join(' and ')}.`}
    </EmptyState>
  );
}

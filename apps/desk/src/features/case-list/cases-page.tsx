import type { CaseFilter, ListedCase, StaffRole } from '@keyturn/contract/staff';
import { formatEntryMoment, formatShortNearDay } from '@keyturn/format/dates';
import { matterTypeNames } from '@keyturn/format/matter-names';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useEffect } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { caseInList, rememberCaseList } from '../../api/case-list.ts';
import { useMember } from '../../api/desk-api.ts';
import { LinkButton } from '../../ui/base/button.tsx';
import { CaseStatusTag } from '../../ui/base/case-status-tag.tsx';
import { EmptyState, PageHead } from '../../ui/base/page.tsx';
import { ShowMore } from '../../ui/table/show-more.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import {
  filterFrom,
  fromTableSort,
  isSameFilter,
  toSearch,
  toTableSort,
  usualFilter,
} from './case-filter.ts';
import { actorNames, CaseFilters } from './case-filters.tsx';
import { useCaseList } from './case-list-queries.ts';
import styles from './cases.module.css';

/** Every case of the firm, searched, filtered and sorted by the server. */
export default function CasesPage() {
  const { id: memberId, role } = useMember();
  const [, navigate] = useLocation();
  const [search] = useSearchParams();
  const filter = filterFrom(search);
  const list = useCaseList(filter);
  const today = useToday();
  const cases = list.data && unique(list.data.pages.flatMap((page) => page.cases));

  useEffect(() => {
    if (list.data)
      rememberCaseList('cases', {
        memberId,
        caseIds: list.data.pages.flatMap((page) => page.cases.map(({ id }) => id)),
      });
  }, [list.data, memberId]);

  const change = (changed: Partial<CaseFilter>, { isTyping = false } = {}) => {
    const query = toSearch({ ...filter, ...changed });
    // Otherwise each letter of a search would add an entry to the history.
    navigate(`/cases${query && `?${query}`}`, { replace: isTyping });
  };
  return (
    <>
      <PageHead title="Cases">{countInWords(list.data?.pages[0]?.count, cases?.length)}</PageHead>
      <CaseFilters
        filter={filter}
        onChange={(changed) => change(changed, { isTyping: 'q' in changed && filter.q !== undefined })}
      />
      <Table
        label="Cases"
        columns={columnsFor(today)}
        query={{ ...list, data: cases }}
        keyOf={({ id }) => id}
        onOpen={({ id }) => navigate(caseInList(id, 'cases'))}
        sort={toTableSort(filter.sort)}
        onSort={(sort) => change({ sort: fromTableSort(sort) })}
        empty={isSameFilter(filter, usualFilter) ? <NoOpenCases role={role} /> : <NoMatch />}
        isMain
        announcesChanges
      />
      <ShowMore query={list} />
    </>
  );
}

function NoOpenCases({ role }: { role: StaffRole }) {
  const mayImport = role !== 'finance';
  return (
    <EmptyState
      title="There are no open cases."
      action={mayImport && <LinkButton to="/settings/import">Import cases</LinkButton>}
    />
  );
}

const NoMatch = () => (
  <EmptyState
    title="No case matches this search."
    action={<LinkButton to="/cases">Show all open cases</LinkButton>}
  />
);

/** A case that has moved while pages were read can be on two pages. */
const unique = (cases: readonly ListedCase[]) => [
  ...new Map(cases.map((listed) => [listed.id, listed])).values(),
];

function countInWords(count: number | null | undefined, shown = 0): string {
  // As high as the text that replaces it.
  if (typeof count !== 'number') return '\u00a0';
  const all = count > 1_000 ? 'More than 1,000 cases' : count === 1 ? '1 case' : `${count} cases`;
  return shown < count ? `${all}, ${shown} shown` : all;
}

function columnsFor(today: string): Column<ListedCase>[] {
  return [
    {
      key: 'clients',
      heading: 'Clients',
      isRowHeader: true,
      cell: ({ id, clients, title }) => (
        <Link to={caseInList(id, 'cases')} className={styles.name}>
          {clients.join(' and ') || title}
        </Link>
      ),
    },
    {
      key: 'property',
      heading: 'Property',
      cell: ({ matters }) => (
        <div>
          {matters.map(({ id, matter_type, address }) => (
            <span key={id} className={styles.matter}>
              <span className={styles.soft}>{matterTypeNames[matter_type]}:</span> {address}
            </span>
          ))}
        </div>
      ),
    },
    {
      key: 'step',
      heading: 'Step, with',
      cell: ({ status, matters }) =>
        status === 'active' ? (
          <div>
            {matters.map(({ id, step }) => (
              <span key={id} className={styles.matter}>
                {step ? (
                  <>
                    {step.title}, <span className={styles.soft}>{actorNames[step.actor].toLowerCase()}</span>
                  </>
                ) : (
                  <span className={styles.soft}>Nothing under way</span>
                )}
              </span>
            ))}
          </div>
        ) : (
          <CaseStatusTag status={status} />
        ),
    },
    {
      key: 'promise',
      heading: 'Promised update',
      sorts: 'ascending',
      cell: ({ promised_on }) =>
        promised_on === null ? (
          <span className={styles.soft}>None</span>
        ) : (
          <div>
            {formatShortNearDay(promised_on, today)}{' '}
            {promised_on < today && (
              <StatusTag tone="to-do" followsText>
                Missed
              </StatusTag>
            )}
            {promised_on === today && (
              <StatusTag tone="moving" followsText>
                Today
              </StatusTag>
            )}
          </div>
        ),
    },
    {
      key: 'last_update',
      heading: 'Last update',
      sorts: 'ascending',
      cell: ({ last_update_at }) =>
        last_update_at ? formatEntryMoment(last_update_at, today) : <span className={styles.soft}>None</span>,
    },
    { key: 'handler', heading: 'Handler', cell: ({ handlers }) => handlers[0] ?? '' },
    {
      key: 'reference',
      heading: 'Reference',
      sorts: 'ascending',
      cell: ({ reference }) => <span className={styles.unbroken}>{reference}</span>,
    },
  ];
}

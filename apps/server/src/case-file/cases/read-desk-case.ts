import type { Milestone } from '@keyturn/contract';
import type { DeskBill, DeskCase, DeskMatter, DeskMilestone, DeskSearch } from '@keyturn/contract/staff';
import { londonDay } from '@keyturn/format/london-time';
import { type SQL, sql } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { prepareSql } from '../../platform/prepared-statement.ts';
import { asInstant, columns, instants, jsonList } from '../../platform/reads/contract-json.ts';
import { versionOf } from '../../platform/reads/record-version.ts';
import { documentsAtDesk } from '../documents/read-documents.ts';
import type { EditedKind } from '../editing/lock-record.ts';
import { historyAtDesk } from '../history/read-case-history.ts';
import { mattersAtDesk } from '../matters/read-matters.ts';
import { computeDerivedWaiting, computeMilestoneFields } from '../milestones/read-milestones.ts';
import { clientsAtDesk } from '../people/read-clients.ts';
import { searchesAtDesk } from '../searches/read-case-searches.ts';
import { tasksAtDesk } from '../tasks/read-tasks.ts';
import { nameOf } from './desk-fields.ts';

/** How the bills of a case are read, with the payments of each. */
export interface BillsOfCase {
  /** The bills of a case as JSON, without cancelled ones. */
  select(caseId: SQL): SQL;
  /** @param stored the parsed JSON @param today in London */
  toBills(stored: unknown, today: string): DeskBill[];
}

/** Reads a case for staff. @throws DomainError `not_found` */
export type ReadDeskCase = (connection: Connection, caseId: string) => Promise<DeskCase>;

/** A case as JSON. */
type StoredCase = Omit<DeskCase, 'matters' | 'searches' | 'bills'> & {
  matters: (Omit<DeskMatter, 'milestones'> & { milestones: StoredMilestone[] })[];
  searches: ({ shown: object } & Omit<DeskSearch, 'id'>)[];
  bills: unknown;
};

type StoredMilestone = {
  shown: Omit<Milestone, 'waiting_for' | 'waiting_since' | 'also_waiting' | 'usually_between'> & {
    $computed: string | null;
  };
} & Pick<DeskMilestone, 'version' | 'own_waiting_for' | 'own_waiting_since'>;

/** Writes the newest payments of the case in the row `conveyancing_case`, as staff see them. */
const paymentsAtDesk = jsonList(
  sql`json_build_object(
    ${columns('payment', 'id', 'status', 'category', 'description', 'method', 'amount', 'refunded_amount')},
    'client', ${nameOf('paying')}, 'started_at', ${asInstant('payment.created_at')}, ${instants('payment', 'paid_at')},
    ${columns('payment', 'case_search_id', 'bill_id')}, 'under_review', payment.review_reason is not null,
    'dispute', payment.dispute_status)`,
  {
    query: sql`
      from (
        select * from payments where case_id = conveyancing_case.id and status <> 'cancelled'
        order by created_at desc, id limit 50) payment
      join clients paying on paying.id = coalesce(payment.confirmed_by, payment.client_id)`,
    order: sql`payment.created_at desc, payment.id`,
  },
);

/** Creates the read of a case for staff, which is one statement. */
export function createCaseReader(billsOfCase: BillsOfCase, clock: Clock): ReadDeskCase {
  const select = prepareSql<{ found: StoredCase }, { id: string; now: string }>(
    'read_case_at_desk',
    () => sql`
      select json_build_object(${columns('conveyancing_case', 'id', 'reference', 'title', 'status', 'handlers')},
        'version', ${versionOf('conveyancing_case')}, ${columns(
          'conveyancing_case',
          'cancellation',
          'cancellation_ends_on',
          'cancellation_notice_given',
        )},
        'is_quiet', exists (select from quiet_steps quiet
          where quiet.case_id = conveyancing_case.id and quiet.milestone_id is null),
        ${instants('conveyancing_case', 'created_at')}, 'clients', ${clientsAtDesk}, 'matters', ${mattersAtDesk},
        'searches', ${searchesAtDesk}, 'documents', ${documentsAtDesk}, 'tasks', ${tasksAtDesk},
        'bills', ${billsOfCase.select(sql`conveyancing_case.id`)}, 'payments', ${paymentsAtDesk},
        'history', ${historyAtDesk}) as found
      from conveyancing_cases conveyancing_case where conveyancing_case.id = ${sql.placeholder('id')}`,
  );
  return async (connection, caseId) => {
    if (!isId(caseId)) throw new DomainError('not_found');
    const now = clock();
    const [row] = (await select(connection, { id: caseId, now: now.toISOString() })).rows;
    if (!row) throw new DomainError('not_found');
    const { matters, searches, bills, ...rest } = row.found;
    const viewerId = rest.clients[0]?.id ?? '';
    return {
      ...rest,
      matters: matters.map((matter) => ({
        ...matter,
        milestones: matter.milestones.map((milestone) => toMilestone(milestone, viewerId)),
      })),
      searches: searches.map(({ shown, ...search }) => ({ ...shown, ...search }) as DeskSearch),
      bills: billsOfCase.toBills(bills, londonDay(now)),
    };
  };
}

function toMilestone(
  { shown: { $computed, ...shown }, ...own }: StoredMilestone,
  viewerId: string,
): DeskMilestone {
  const facts = $computed === null ? null : JSON.parse($computed);
  return {
    ...shown,
    ...computeMilestoneFields(facts, viewerId),
    ...own,
    derived_waiting: computeDerivedWaiting(facts, viewerId),
  } as DeskMilestone;
}

/** Finds a record in a case. */
export function findInCase(found: DeskCase, kind: EditedKind, id: string): object | null {
  const all: Record<EditedKind, readonly { id: string }[]> = {
    case: [found],
    milestone: found.matters.flatMap(({ milestones }) => milestones),
    matter: found.matters,
    search: found.searches,
    document: found.documents,
    task: found.tasks,
    bill: found.bills,
  };
  return all[kind].find((record) => record.id === id) ?? null;
}

import type { Milestone } from '@keyturn/contract';
import type { DeskCase, DeskMatter, DeskMilestone, DeskSearch } from '@keyturn/contract/staff';
import { londonDay } from '@keyturn/format/london-time';
import { sql } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { prepareSql } from '../../platform/prepared-statement.ts';
import { columns, instants } from '../../platform/reads/contract-json.ts';
import type { ClientViews } from '../editing/ports.ts';
import {
  clientsOfCase,
  documentsOfCase,
  historyOfCase,
  mattersOfCase,
  paymentsOfCase,
  searchesOfCase,
  tasksOfCase,
} from './desk-case-parts.ts';

/** Reads a case for staff. @throws DomainError `not_found` */
export type ReadDeskCase = (connection: Connection, caseId: string) => Promise<DeskCase>;

/** A case as JSON. */
type StoredCase = Omit<DeskCase, 'matters' | 'searches' | 'bills'> & {
  matters: (Omit<DeskMatter, 'milestones'> & { milestones: StoredMilestone[] })[];
  searches: ({ shown: object } & Omit<DeskSearch, 'id'>)[];
  bills: never;
};

type StoredMilestone = {
  shown: Omit<Milestone, 'waiting_for' | 'waiting_since' | 'also_waiting' | 'usually_between'> & {
    $computed: string | null;
  };
} & Pick<DeskMilestone, 'version' | 'own_waiting_for' | 'own_waiting_since'>;

/** Creates the read of a case for staff, which is one statement. */
export function createCaseReader(views: ClientViews, clock: Clock): ReadDeskCase {
  const select = prepareSql<{ found: StoredCase }, { id: string; now: string }>(
    'read_case_at_desk',
    () => sql`
      select json_build_object(${columns('conveyancing_case', 'id', 'reference', 'title', 'status', 'handlers')},
        ${instants('conveyancing_case', 'created_at')}, 'clients', ${clientsOfCase}, 'matters', ${mattersOfCase(views)},
        'searches', ${searchesOfCase(views)}, 'documents', ${documentsOfCase}, 'tasks', ${tasksOfCase},
        'bills', ${views.bills.select(sql`conveyancing_case.id`)}, 'payments', ${paymentsOfCase},
        'history', ${historyOfCase}) as found
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
        milestones: matter.milestones.map((milestone) => toMilestone(views, milestone, viewerId)),
      })),
      searches: searches.map(({ shown, ...search }) => ({ ...shown, ...search }) as DeskSearch),
      bills: views.bills.toBills(bills, londonDay(now)),
    };
  };
}

function toMilestone(
  { milestone }: ClientViews,
  { shown: { $computed, ...shown }, ...own }: StoredMilestone,
  viewerId: string,
): DeskMilestone {
  const facts = $computed === null ? null : JSON.parse($computed);
  return {
    ...shown,
    ...milestone.computeFields(facts as never, viewerId),
    ...own,
    derived_waiting: milestone.computeDerivedWaiting(facts as never, viewerId),
  } as DeskMilestone;
}

import { type ConveyancingCase, Firm, Handler, Party, Property } from '@keyturn/contract';
import { type SQL, sql } from 'drizzle-orm';
import { columns, entityFields, jsonList } from '../../platform/reads/contract-json.ts';
import { limitTo } from '../../platform/reads/limit-to.ts';
import { mattersOf } from '../matters/read-matters.ts';
import { type StoredTask, tasksOf, toTask } from '../tasks/read-tasks.ts';
import { type CaseSums, sumsOf } from './read-sums.ts';

/** A whole case, as the database has it. */
export type StoredCase = Omit<
  ConveyancingCase,
  'firm' | 'tasks' | 'unread_documents' | 'amount_due' | 'amount_due_later' | 'amount_paid'
> & {
  firm: ConveyancingCase['firm'] | null;
  tasks: StoredTask[];
  sums: CaseSums;
};

/** Writes a whole case as one of its clients sees it; null for another client's. */
export const caseOf = (caseId: SQL, client: SQL): SQL => sql`(
  select json_build_object(${entityFields('conveyancing_case')},
    ${columns('conveyancing_case', 'reference', 'title', 'status', 'handlers')},
    ${columns('conveyancing_case', 'cancellation', 'cancellation_ends_on', 'cancellation_notice_given')},
    'firm', installation.shown_firm,
    'clients', ${clientsOf(sql`conveyancing_case.id`)},
    'matters', ${mattersOf(sql`conveyancing_case.id`)},
    'tasks', ${tasksOf(sql`conveyancing_case.id`, client)},
    'sums', ${sumsOf(sql`conveyancing_case.id`, client)})
  from case_clients own
  join conveyancing_cases conveyancing_case on conveyancing_case.id = own.case_id
  cross join installation
  where own.case_id = ${caseId} and own.client_id = ${client})`;

// JSON columns can have more fields than the contract.
const toHandler = limitTo<Handler>(Handler);
const toProperty = limitTo<Property>(Property);
const toParty = limitTo<Party>(Party);
const toFirm = limitTo<Firm>(Firm);

/** @returns null for a case without a firm: the feed imports the firm before any case */
export function toCase({ firm, sums, tasks, ...stored }: StoredCase): ConveyancingCase | null {
  if (!firm) return null;
  return {
    ...stored,
    handlers: stored.handlers.map(toHandler),
    matters: stored.matters.map((matter) => ({
      ...matter,
      property: toProperty(matter.property),
      parties: matter.parties.map(toParty),
    })),
    firm: toFirm(firm),
    tasks: tasks.map(toTask),
    unread_documents: sums.unreadDocuments,
    amount_due: stored.status === 'active' ? sums.searchesDue + sums.tasksDue : 0,
    // Bills are added by payments.
    amount_due_later: 0,
    amount_paid: sums.paidHere + sums.paidElsewhere,
  };
}

/** Writes the clients of a case, in the firm's order. */
const clientsOf = (caseId: SQL): SQL =>
  jsonList(sql`json_build_object(${columns('client', 'id', 'first_name')})`, {
    query: sql`
      from case_clients member join clients client on client.id = member.client_id where member.case_id = ${caseId}`,
    order: sql`client.reference`,
  });

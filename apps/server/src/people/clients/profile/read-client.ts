import type { Client, ConveyancingCase } from '@keyturn/contract';
import { type SQL, sql } from 'drizzle-orm';
import { type ClientRead, defineRead } from '../../../platform/reads/client-read.ts';
import { columns, entityFields, jsonList } from '../../../platform/reads/contract-json.ts';

/** A part of the read of a client: their case. Provided by `composition/`. */
export interface CasePart<Stored> {
  /** Writes the whole case as JSON, as this client sees it; null for another client's. */
  select(caseId: SQL, client: SQL): SQL;
  toCase(stored: Stored): ConveyancingCase | null;
}

/** Reads the client with their active case. */
export type ReadClient = () => ClientRead<Client>;

/** Creates the read of a client with their active case. */
export function createClientRead<Stored>({ select, toCase }: CasePart<Stored>): ReadClient {
  const read = defineRead<Omit<Client, 'conveyancing_case'> & { stored_case: Stored | null }, Client, object>(
    {
      name: 'read_client',
      select: (client, shownCase) => sql`(
      select json_build_object(${entityFields('own')},
        ${columns('own', 'title', 'first_name', 'last_name', 'email', 'phone')},
        'active_case', case when active_case.id is not null
          then json_build_object(${columns('active_case', 'id', 'reference')}) end,
        'cases', ${casesOf(client)},
        'stored_case', case when active_case.id is not null then ${select(sql`active_case.id`, client)} end)
      from clients own
      left join lateral ${shownCase} active_case on true
      where own.id = ${client})`,
      toAnswer: ({ stored_case, ...client }) => ({
        ...client,
        conveyancing_case: stored_case && toCase(stored_case),
      }),
    },
  );
  return () => read({});
}

/** Writes the client's cases, the newest first. */
const casesOf = (client: SQL): SQL =>
  jsonList(sql`json_build_object(${columns('conveyancing_case', 'id', 'reference', 'title')})`, {
    query: sql`
      from case_clients membership
      join conveyancing_cases conveyancing_case on conveyancing_case.id = membership.case_id
      where membership.client_id = ${client}`,
    order: sql`conveyancing_case.created_at desc, conveyancing_case.reference desc`,
  });

import { type SQL, sql } from 'drizzle-orm';
import type { Connection, SharedConnections } from '../database.ts';
import { DomainError } from '../domain-error.ts';
import { prepareRead, prepareSql } from '../prepared-statement.ts';
import { activeCaseOf } from './active-case.ts';
import { fillComputedFields } from './contract-json.ts';

/**
 * A read of what one client may see: one prepared statement, in which PostgreSQL assembles all data as one JSON value.
 * For a request, the same statement finds the session, so that a read is one round trip. See decision 27.
 */
export interface ClientRead<Answer> {
  /**
   * Reads for a client who is signed in.
   * @throws DomainError `unauthenticated` if the client no longer exists
   */
  forClient(connection: Connection, clientId: string): Promise<Answer>;
  /**
   * Reads for the client of a session, and returns the session. The caller checks that the session is valid before it
   * asks for the answer.
   * @param sessionHash SHA-256 of the token
   * @returns null for an unknown session
   */
  forSession(
    connection: Connection | SharedConnections,
    sessionHash: Buffer,
  ): Promise<SessionRead<Answer> | null>;
  /**
   * Reads one of a client's cases as the client sees it, regardless of the active case, for the preview by staff.
   * @throws DomainError `not_found` if the client is not on the case
   */
  forCase(connection: Connection, of: { clientId: string; caseId: string }): Promise<Answer>;
}

export interface SessionRead<Answer> {
  session: StoredSession;
  answer(): Answer | JsonText;
}

/** An answer that PostgreSQL has written in the contract's form, so that its text is sent unchanged. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export interface StoredSession {
  clientId: string;
  /** Milliseconds since the epoch. */
  lastUsedAt: number;
  expiresAt: number;
  isRevoked: boolean;
}

export interface ClientReadDefinition<Facts, Answer, Values extends object> {
  /** Unique among all statements. */
  name: string;
  /**
   * Writes the JSON as a scalar expression, with `sql.placeholder(name)` for each value.
   * @param client the id of the client, to which every part has to be restricted
   * @param shownCase a subquery for the case that is shown, usually the active one; no row for a client without cases
   */
  select(client: SQL, shownCase: SQL): SQL;
  /**
   * Makes the answer from the JSON. Without it, the JSON is the answer, field by field as the contract has it, once
   * `computeFields` has replaced its `computedFields`.
   */
  toAnswer?(facts: Facts, values: Values & { clientId: string }): Answer;
  computeFields?(facts: never, values: Values & { clientId: string }): object;
}

/** Defines a read. @returns the read with its values */
export function defineRead<Facts, Answer, Values extends object>({
  name,
  select,
  toAnswer,
  computeFields,
}: ClientReadDefinition<Facts, Answer, Values>): (values: Values) => ClientRead<Answer> {
  const ofClient = prepareSql<{ facts: string }, Values & { clientId: string }>(
    `${name}_of_client`,
    () => sql`
      select ${select(signedInClient, activeCase)}::text as facts
      from (select id as client_id from clients where id = ${sql.placeholder('clientId')}) signed_in`,
  );
  const ofSession = prepareRead<SessionRow & { facts: string }, Values & { sessionHash: Buffer }>(
    name,
    () => sql`
      select ${sessionColumns}, ${select(signedInClient, activeCase)}::text as facts
      from sessions signed_in where signed_in.token_hash = ${sql.placeholder('sessionHash')}`,
  );
  const ofCase = prepareSql<{ facts: string }, Values & { clientId: string; caseId: string }>(
    `${name}_of_case`,
    () => sql`
      select ${select(signedInClient, namedCase)}::text as facts
      from (select client_id, case_id from case_clients
        where client_id = ${sql.placeholder('clientId')} and case_id = ${sql.placeholder('caseId')}) signed_in`,
  );
  const answerOf = (json: string, values: Values & { clientId: string }): Answer | JsonText => {
    if (toAnswer) return toAnswer(JSON.parse(json), values);
    if (!computeFields) return new JsonText(json);
    return new JsonText(fillComputedFields<never>(json, (facts) => computeFields(facts as never, values)));
  };
  return (values) => ({
    forClient: async (connection, clientId) => {
      const [row] = (await ofClient(connection, { ...values, clientId })).rows;
      if (!row) throw new DomainError('unauthenticated');
      return parse(answerOf(row.facts, { ...values, clientId }));
    },
    forSession: async (connection, sessionHash) => {
      const [row] = (await ofSession(connection, { ...values, sessionHash })).rows;
      if (!row) return null;
      const session = toSession(row);
      return { session, answer: () => answerOf(row.facts, { ...values, clientId: session.clientId }) };
    },
    forCase: async (connection, { clientId, caseId }) => {
      const [row] = (await ofCase(connection, { ...values, clientId, caseId })).rows;
      if (!row) throw new DomainError('not_found');
      return parse(answerOf(row.facts, { ...values, clientId }));
    },
  });
}

/** Returns the same read with another answer. */
export const mapRead = <Answer, Mapped>(
  read: ClientRead<Answer>,
  change: (answer: Answer) => Mapped,
): ClientRead<Mapped> => ({
  forClient: async (connection, clientId) => change(await read.forClient(connection, clientId)),
  forSession: async (connection, sessionHash) => {
    const found = await read.forSession(connection, sessionHash);
    if (!found) return null;
    return { session: found.session, answer: () => change(parse(found.answer())) };
  },
  forCase: async (connection, of) => change(await read.forCase(connection, of)),
});

const parse = <Answer>(answer: Answer | JsonText): Answer =>
  answer instanceof JsonText ? JSON.parse(answer.text) : answer;

/** Finds a session without a read, for other requests. */
export async function findSession(
  connection: Connection | SharedConnections,
  sessionHash: Buffer,
): Promise<StoredSession | null> {
  const [row] = (await selectSession(connection, { sessionHash })).rows;
  return row ? toSession(row) : null;
}

type SessionRow = {
  client_id: string;
  last_used_at: number;
  expires_at: number;
  is_revoked: boolean;
};

/** No other part of a read may use this row name, because it would hide this one. */
const signedInClient = sql`signed_in.client_id`;
const activeCase = activeCaseOf(signedInClient);
const namedCase = sql`(select shown.* from conveyancing_cases shown where shown.id = signed_in.case_id)`;

const sessionColumns = sql`signed_in.client_id, signed_in.revoked_at is not null as is_revoked,
  (extract(epoch from signed_in.last_used_at) * 1000)::float8 as last_used_at,
  (extract(epoch from signed_in.expires_at) * 1000)::float8 as expires_at`;

const selectSession = prepareRead<SessionRow, { sessionHash: Buffer }>(
  'find_session',
  () => sql`
    select ${sessionColumns} from sessions signed_in where signed_in.token_hash = ${sql.placeholder('sessionHash')}`,
);

const toSession = (row: SessionRow): StoredSession => ({
  clientId: row.client_id,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  isRevoked: row.is_revoked,
});

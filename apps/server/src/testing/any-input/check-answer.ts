import { errorCatalogue } from '../../platform/domain-error.ts';
import type { DescribedRoute } from './described-routes.ts';

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

export type JudgedRoute = Pick<DescribedRoute, 'errors' | 'path'>;

/** Matches internals that no answer may reveal: stack traces, statements, paths and errors of libraries. */
const internals =
  /node_modules|\bat \S+ \(|\bat (?:async )?(?:file|node):|\.[cm]?[jt]s:\d+|\/apps\/server\/|SQLSTATE|\bselect .{1,200}? from \w|\binsert into \w|\bdelete from \w|syntax error at|violates|duplicate key value|relation "|column "|invalid input syntax|invalid byte sequence|FST_ERR|ERR_[A-Z_]{4,}|ECONN|Cannot read |is not a function|\[object Object\]|PostgresError|DrizzleQueryError/i;

/** Codes with which Fastify’s own checks reject a request to any route. */
const anyRoute = [
  ...['not_found', 'malformed_json', 'invalid_input', 'payload_too_large', 'unsupported_media_type'],
  ...['too_many_requests', 'unavailable'],
];

/**
 * Checks that an answer reveals no internals, and that a rejection is as the contract describes it.
 * @param names the names of constraints and indexes of the database
 * @returns the faults; empty if there are none
 */
export function findFaults(answer: Answer, route: JudgedRoute, names: ReadonlySet<string>): string[] {
  const { status, headers, body } = answer;
  const faults: string[] = [];
  const found = status >= 400 || status === 101 ? internals.exec(body) : null;
  if (found) faults.push(`the answer reveals “${found[0]}”`);
  if (status < 400) return faults;
  for (const word of body.match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g) ?? [])
    if (names.has(word)) faults.push(`the answer names the constraint ${word}`);
  if (!isErrorBody(headers) || body === '') {
    if (status >= 500) faults.push(`the status is ${status}`);
    return faults;
  }
  const error = parse(body);
  // The channel’s own calls answer as Pusher does.
  if (status < 500 && /^\/(broadcasting|apps)/.test(route.path) && error && error.code === undefined)
    return faults;
  return [...faults, ...faultsOfError(status, error, route)];
}

function faultsOfError(status: number, error: Record<string, unknown> | null, route: JudgedRoute): string[] {
  const code = String(error?.code) as keyof typeof errorCatalogue;
  const known = errorCatalogue[code];
  if (!error || !known || typeof error.message !== 'string' || error.message === '')
    return ['the answer is no error body of the contract'];
  const faults: string[] = [];
  if (status >= 500 && !expectedOutage.test(error.message))
    faults.push(`the status is ${status} with ${code}: ${error.message}`);
  if (status !== known.status && !parserStatuses.has(status)) faults.push(`${code} has the status ${status}`);
  if (route.errors && !route.errors.includes(code) && !anyRoute.includes(code))
    faults.push(`the contract does not list ${code}`);
  return faults;
}

/** The messages of 503 that an earlier input can cause: a job still imports its spreadsheet. */
const expectedOutage = /^A colleague or an import is changing this case\./;

/** Statuses that `invalid_input` has if the request could not be read. */
const parserStatuses = new Set([400, 408, 431]);

const isErrorBody = (headers: Record<string, unknown>) =>
  String(headers['content-type']).startsWith('application/json');

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

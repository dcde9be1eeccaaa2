import { readFile } from 'node:fs/promises';
import { CaseFeed, type FeedList, feedFormat, feedRecords } from '@keyturn/contract';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

/** A feed that cannot be taken at all. One line that says why. */
export class FeedFault extends Error {
  override name = 'FeedFault';
}

/** One thing that is not right, and where: `/searches/3/price/net`. */
export interface RecordFault {
  place: string;
  reason: string;
}

/** Bytes; a feed is read whole. */
const largestFeed = 200 * 1024 * 1024;

/** @throws FeedFault when there is no such file, or it is no JSON */
export async function readFeedFile(path: string): Promise<unknown> {
  const text = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'ENOENT'
        ? 'there is no such file'
        : error.code === 'EISDIR'
          ? 'it is a folder'
          : error.message;
    throw new FeedFault(`${path} cannot be read: ${reason}.`);
  });
  if (text.length > largestFeed) throw new FeedFault(`${path} is larger than 200 MB: send it in parts.`);
  try {
    return JSON.parse(text.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new FeedFault(`${path} is not JSON: ${error instanceof Error ? error.message : error}.`);
  }
}

export interface CheckedFeed {
  asOf: string;
  firm: unknown;
  lists: Record<FeedList, unknown[]>;
}

/** Checks the frame of a feed; each record is checked when its turn comes. @throws FeedFault */
export function checkFrame(feed: unknown): CheckedFeed {
  if (typeof feed !== 'object' || feed === null || Array.isArray(feed))
    throw new FeedFault('A case feed is a JSON object.');
  const given = feed as Record<string, unknown>;
  if (given.format !== feedFormat) throw new FeedFault(`"format" must be "${feedFormat}".`);
  if (typeof given.as_of !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(given.as_of)) {
    throw new FeedFault('"as_of" must be the day that the feed speaks of, YYYY-MM-DD.');
  }
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(CaseFeed.properties, key));
  if (unknown !== undefined) throw new FeedFault(`"${unknown}" is not known in a case feed.`);
  const lists = {} as Record<FeedList, unknown[]>;
  for (const list of Object.keys(feedRecords) as FeedList[]) {
    const records = given[list] ?? [];
    if (!Array.isArray(records)) throw new FeedFault(`"${list}" must be a list.`);
    lists[list] = records;
  }
  return { asOf: given.as_of, firm: given.firm, lists };
}

const ajv = new Ajv({ allErrors: false, strict: false });
formats.default(ajv);
const validators = new Map<object, ValidateFunction>();

/** @returns the first thing that is not right with a record, or null */
export function findFault(schema: object, record: unknown, place: string): RecordFault | null {
  let validate = validators.get(schema);
  if (!validate) {
    validate = ajv.compile(schema);
    validators.set(schema, validate);
  }
  const [error] = validate(record) ? [] : (validate.errors ?? []);
  if (error) return { place: place + error.instancePath + missingOrUnknown(error), reason: reasonOf(error) };
  const hostile = findUnstorable(record, place);
  return hostile
    ? { place: hostile, reason: 'has characters that are no text (NUL, or half of a pair)' }
    : null;
}

function missingOrUnknown({ params }: ErrorObject): string {
  const name: unknown = params.missingProperty ?? params.additionalProperty;
  return typeof name === 'string' ? `/${name}` : '';
}

function reasonOf(error: ErrorObject): string {
  if (error.keyword === 'required') return 'is required';
  if (error.keyword === 'additionalProperties') return 'is not known here';
  if (error.keyword === 'enum')
    return `must be one of ${(error.params.allowedValues as string[]).join(', ')}`;
  return error.message ?? 'is not right';
}

function findUnstorable(value: unknown, place: string): string | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? place : null;
  if (value === null || typeof value !== 'object') return null;
  for (const [key, member] of Object.entries(value)) {
    const found = findUnstorable(member, `${place}/${key}`);
    if (found) return found;
  }
  return null;
}

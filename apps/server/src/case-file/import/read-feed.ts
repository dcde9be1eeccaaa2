import { CaseFeed, type FeedList, feedFormat, feedRecords } from '@keyturn/contract';

/** The feed as a whole cannot be imported; the message is one line for the operator. */
export class FeedError extends Error {
  override name = 'FeedError';
}

/** Thrown when another import has locked the feed for too long. Records stored before are kept. */
export class FeedBusy extends FeedError {
  override name = 'FeedBusy';
  constructor() {
    super('Another import is in progress. Import the feed again: stored records are then unchanged.');
  }
}

/** Thrown when the sender may no longer write. Records stored before are kept. */
export class FeedNotPermitted extends FeedError {
  override name = 'FeedNotPermitted';
  constructor() {
    super('The sender may no longer write.');
  }
}

export interface CheckedFeed {
  firm: unknown;
  lists: Record<FeedList, unknown[]>;
}

/**
 * Checks the top level of a feed. Records are checked one by one during the import.
 * @throws FeedError
 */
export function checkFrame(feed: unknown): CheckedFeed {
  if (typeof feed !== 'object' || feed === null || Array.isArray(feed))
    throw new FeedError('A case feed must be a JSON object.');
  const fields = feed as Record<string, unknown>;
  if (fields.format !== feedFormat) throw new FeedError(`"format" must be "${feedFormat}".`);
  if (typeof fields.as_of !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(fields.as_of)) {
    throw new FeedError('"as_of" must be the day the feed was made, as YYYY-MM-DD.');
  }
  const unknown = Object.keys(fields).find((key) => !Object.hasOwn(CaseFeed.properties, key));
  if (unknown !== undefined) throw new FeedError(`"${unknown}" is not a field of a case feed.`);
  const lists = {} as Record<FeedList, unknown[]>;
  for (const list of Object.keys(feedRecords) as FeedList[]) {
    const records = fields[list] ?? [];
    if (!Array.isArray(records)) throw new FeedError(`"${list}" must be a list.`);
    lists[list] = records;
  }
  return { firm: fields.firm, lists };
}

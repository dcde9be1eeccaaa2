import { type FeedList, feedRecords } from '@keyturn/contract';
import { isOrdered, type OrderedList } from '../records/record-definitions.ts';
import { parentReferenceOf, referenceOf } from '../records/references.ts';
import { checkFrame } from './read-feed.ts';
import { createSentOrder, type SentOrder } from './sent-order.ts';

/** A feed whose top level is valid and whose records can be read list by list, repeatedly. */
export interface FeedSource {
  /** Unchecked; undefined if the feed has none. */
  firm: unknown;
  counts: Record<FeedList, number>;
  orders: Record<OrderedList, SentOrder>;
  /** Reads a list in batches of unchecked records. */
  readBatches(list: FeedList): AsyncIterable<unknown[]>;
}

/** Records that are written together. A matter has twenty milestones, and a document a file. */
export const batchSizes: Record<FeedList, number> = {
  clients: 1000,
  cases: 1000,
  matters: 200,
  documents: 200,
  searches: 1000,
  tasks: 1000,
  bills: 1000,
  history: 1000,
};

/** Creates empty counts and orders, and a function that adds a record to them. */
export function createFeedSummary() {
  const counts = Object.fromEntries(Object.keys(feedRecords).map((list) => [list, 0])) as Record<
    FeedList,
    number
  >;
  const orders = { matters: createSentOrder(), searches: createSentOrder(), tasks: createSentOrder() };
  const add = (list: FeedList, record: unknown) => {
    counts[list] += 1;
    if (!isOrdered(list)) return;
    const reference = referenceOf(record);
    const parent = parentReferenceOf(list, record);
    if (reference !== null && parent !== null) orders[list].add(parent, reference);
  };
  return { counts, orders, add };
}

/**
 * Opens a feed that is already in memory.
 * @param feed the parsed JSON, unchecked
 * @throws FeedError
 */
export function openParsedFeed(feed: unknown): FeedSource {
  const { firm, lists } = checkFrame(feed);
  const { counts, orders, add } = createFeedSummary();
  for (const list of Object.keys(lists) as FeedList[]) for (const record of lists[list]) add(list, record);
  return {
    firm,
    counts,
    orders,
    async *readBatches(list) {
      for (let start = 0; start < lists[list].length; start += batchSizes[list]) {
        yield lists[list].slice(start, start + batchSizes[list]);
      }
    },
  };
}

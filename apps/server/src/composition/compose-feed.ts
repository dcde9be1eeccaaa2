import { join } from 'node:path';
import { createRateLimiter } from '../adapters/limits/rate-limiters.ts';
import type { ImportDependencies } from '../case-file/import/batches/batch-context.ts';
import { feedRoutes } from '../doors/feed/feed-routes.ts';
import { authenticateFeedKey, isFeedKeyUsable } from '../doors/feed/keys/feed-keys.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { ServerReference } from './server-reference.ts';

/** Creates the routes of the case feed over HTTP. */
export const composeFeed = (
  { dataDirectory }: Settings,
  importDependencies: ImportDependencies,
  server: ServerReference,
) => {
  const { database, clock } = importDependencies;
  return feedRoutes({
    ...importDependencies,
    authenticateKey: (key) => authenticateFeedKey({ database, clock }, key),
    isKeyUsable: (transaction, keyId) => isFeedKeyUsable(transaction, keyId, clock()),
    countRequest: createRateLimiter(feedLimit),
    batchFolder: join(dataDirectory, 'feed-batches'),
    onError: (error) => server.warn('a batch of the feed could not be imported', error),
  });
};

/** Requests of one feed key, on each server. */
const feedLimit = { requests: 200, window: 10_000 };

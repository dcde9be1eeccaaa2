import { caseStoreFor } from '../../api/case/case-store.ts';
import { queryClientFor } from '../../api/queries/query-client.ts';
import { caseSearchesQuery } from '../../api/queries/use-case-searches.ts';
import { clientQuery } from '../../api/queries/use-client.ts';
import { milestonesQuery } from '../../api/queries/use-milestones.ts';
import { newestHistoryQuery } from '../../api/queries/use-newest-history.ts';
import type { Services } from '../../api/services/services.ts';

/**
 * Fetches everything that the home page shows, so that it can be rendered once, with all of it. Resolves when the
 * page has content: immediately with the case of the last visit, otherwise when all requests have succeeded or
 * failed.
 */
export async function loadHome(services: Services): Promise<void> {
  const { auth, maintenance } = services;
  const signIn = auth.credential();
  if (!signIn) return;
  const queries = queryClientFor(auth, signIn);
  const { generation } = caseStoreFor(services).get();
  const client = clientQuery(services);
  const loading = Promise.all([
    queries.prefetchQuery(client),
    queries.prefetchQuery(caseSearchesQuery(services, generation)),
    queries.prefetchQuery(milestonesQuery(services, generation)),
    ...(maintenance.get().case_history
      ? []
      : [queries.prefetchQuery(newestHistoryQuery(services, generation))]),
  ]);
  if (!queries.getQueryData(client.queryKey)) await loading;
}

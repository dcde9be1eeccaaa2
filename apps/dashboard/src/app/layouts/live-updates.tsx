import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { adjustPolling } from '../../api/queries/polling.ts';
import { useClient } from '../../api/queries/use-client.ts';
import { useServices } from '../../api/services/services.ts';

/** Follows the active case on the real-time channel, if one is configured. Another case or sign-in starts again. */
export function LiveUpdates() {
  const services = useServices();
  const queries = useQueryClient();
  const { data: client, dataUpdatedAt } = useClient();
  // The client stored from an earlier visit, which was never fetched, may have had another active case.
  const clientId = dataUpdatedAt > 0 ? client?.id : undefined;
  const caseId = client?.active_case?.id ?? null;
  const isEnabled = services.config.realtime !== null && clientId !== undefined;

  useEffect(() => adjustPolling(queries, services.live), [queries, services.live]);
  useEffect(() => {
    if (!isEnabled) return;
    let isStopped = false;
    let stop = () => {};
    let timer: ReturnType<typeof setTimeout>;
    const start = () => {
      import('../../realtime/follow-case.ts').then(
        ({ followCase }) => {
          if (!isStopped) stop = followCase(services, queries, { clientId, caseId });
        },
        () => {
          if (!isStopped) timer = setTimeout(start, 30_000);
        },
      );
    };
    const cancel = whenIdle(start);
    return () => {
      isStopped = true;
      cancel();
      clearTimeout(timer);
      stop();
    };
  }, [services, queries, isEnabled, clientId, caseId]);
  return null;
}

/** Runs work once the page is idle; Safari has no requestIdleCallback. @returns a function that cancels it */
function whenIdle(start: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(start, 500);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(start, { timeout: 3_000 });
  return () => cancelIdleCallback(handle);
}

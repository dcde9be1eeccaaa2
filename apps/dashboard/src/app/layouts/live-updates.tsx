import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient } from '../../api/queries/use-client.ts';
import { useServices } from '../../api/services/services.ts';

/** Follows the active case by the real-time channel, where there is one: anew for another case and another sign-in. */
export function LiveUpdates() {
  const services = useServices();
  const queries = useQueryClient();
  const { data: client, isFetchedAfterMount } = useClient();
  // Not before the page is usable, and not for the case of an earlier visit.
  const clientId = isFetchedAfterMount ? client?.id : undefined;
  const caseId = client?.active_case?.id ?? null;
  const isWanted = services.config.realtime !== null && clientId !== undefined;

  useEffect(() => {
    if (!isWanted) return;
    let isOver = false;
    let stop = () => {};
    let timer: ReturnType<typeof setTimeout>;
    const start = () => {
      import('../../realtime/follow-case.ts').then(
        ({ followCase }) => {
          if (!isOver) stop = followCase(services, queries, { clientId, caseId });
        },
        () => {
          if (!isOver) timer = setTimeout(start, 30_000);
        },
      );
    };
    const cancel = whenIdle(start);
    return () => {
      isOver = true;
      cancel();
      clearTimeout(timer);
      stop();
    };
  }, [services, queries, isWanted, clientId, caseId]);
  return null;
}

/** After what the page itself has to do. Safari has no word for it. @returns to call it off */
function whenIdle(start: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(start, 500);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(start, { timeout: 3_000 });
  return () => cancelIdleCallback(handle);
}

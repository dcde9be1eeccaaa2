import { followWhenIdle } from '@keyturn/browser/channel/follow-when-idle.ts';
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
    return followWhenIdle(async () => {
      const { followCase } = await import('../../realtime/follow-case.ts');
      return () => followCase(services, queries, { clientId, caseId });
    });
  }, [services, queries, isEnabled, clientId, caseId]);
  return null;
}

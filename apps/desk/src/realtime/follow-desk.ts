import { createEcho } from '@keyturn/browser/channel/create-echo.ts';
import { keepConnected } from '@keyturn/browser/channel/keep-connected.ts';
import { readRealtimeConfig } from '@keyturn/browser/channel/realtime-config.ts';
import { deskChannel, deskEvent } from '@keyturn/contract/staff';
import type { QueryClient } from '@tanstack/react-query';
import type { CallStaff } from '../api/client/create-staff-call.ts';
import type { DeskConfig } from '../api/config.ts';
import { casesOfEvent, refetchCases } from './refetch-cases.ts';

export interface FollowedDesk {
  config: Pick<DeskConfig, 'realtime' | 'environment'>;
  call: CallStaff;
  queries: QueryClient;
  /** Receives whether live updates are connected. */
  onChange(isLive: boolean): void;
  /** The server closed the connection because the session has ended. */
  onSessionEnded(): void;
}

/**
 * Follows the desk’s channel, and refetches what its events name. Call it again for another session.
 * @returns a function that stops following
 */
export function followDesk({ queries, call, ...followed }: FollowedDesk): () => void {
  const config = readRealtimeConfig(followed.config.realtime);
  if (!config || config.broadcaster === 'null') return () => {};
  let refetchWithin = 0;
  let isLive = false;
  let catchingUp: ReturnType<typeof setTimeout> | undefined;
  /**
   * Events may have been missed. After a server was killed, all desks reconnect at the same time, so each waits for a
   * random time.
   */
  const catchUp = () => {
    clearTimeout(catchingUp);
    catchingUp = setTimeout(() => refetchCases(queries, null), Math.random() * refetchWithin);
  };
  const disconnect = keepConnected({
    createEcho: () =>
      createEcho({
        config,
        page: location,
        environment: followed.config.environment,
        authorization: () => null,
        authorise: async (_endpoint, { socket_id }) => {
          const answer = await call('POST /staff/channel/auth', { body: { socket_id }, background: true });
          refetchWithin = answer.refetch_within;
          return { auth: answer.auth };
        },
      }),
    subscribe: (echo, channels) => {
      const subscription = echo.private(deskChannel.replace(/^private-/, ''));
      subscription.listen(deskEvent, (content: unknown) => refetchCases(queries, casesOfEvent(content)));
      channels.require(deskChannel);
      subscription.subscribed(() => channels.confirm(deskChannel));
      subscription.error(() => channels.reject(deskChannel));
    },
    onChange: (state) => {
      if (state.isLive && !isLive) catchUp();
      isLive = state.isLive;
      followed.onChange(isLive);
    },
    onSessionEnded: followed.onSessionEnded,
  });
  return () => {
    clearTimeout(catchingUp);
    disconnect();
  };
}

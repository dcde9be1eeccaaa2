import type { App } from '@keyturn/pusher-protocol';
import type { TestServer } from '@keyturn/testkit';
import { openRaw, type RawClient } from '../../adapters/websocket/trial-clients.ts';

/** Settings of a server for tests whose key and secret are known. */
export const trialApp: App = { id: '42', key: 'key', secret: 'a-secret-of-this-test' };
export const trialEnv = {
  KEYTURN_REALTIME_KEY: trialApp.key,
  KEYTURN_REALTIME_SECRET: trialApp.secret,
  KEYTURN_REALTIME_APP_ID: trialApp.id,
};

/** A bare socket on a whole server, which asks `/broadcasting/auth` as a browser does. */
export interface SignedInRaw extends RawClient {
  headers: { authorization: string };
  /** @returns the status of the answer of `/broadcasting/auth`; on 200 it listens */
  listen(channel: string): Promise<number>;
}

/** @param askAt the server whose auth endpoint is asked; the same one when missing */
export async function openSignedIn(
  server: TestServer,
  clientId: string,
  { askAt = server, headers }: { askAt?: TestServer; headers?: { authorization: string } } = {},
): Promise<SignedInRaw> {
  const signedIn = headers ?? (await server.signedInAs(clientId));
  const raw = await openRaw({
    app: trialApp,
    address: `${server.url.replace('http', 'ws')}/app/${trialApp.key}?protocol=7`,
  });
  return {
    ...raw,
    headers: signedIn,
    listen: async (channel) => {
      const answer = await fetch(`${askAt.url}/broadcasting/auth`, {
        method: 'POST',
        headers: { ...signedIn, 'content-type': 'application/json' },
        body: JSON.stringify({ socket_id: raw.socketId, channel_name: channel }),
      });
      if (answer.status !== 200) return answer.status;
      const allowed = (await answer.json()) as object;
      raw.send({ event: 'pusher:subscribe', data: { channel, ...allowed } });
      await raw.next('pusher_internal:subscription_succeeded', channel);
      return 200;
    },
  };
}

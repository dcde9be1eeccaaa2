/*
 * The frames that a server sends. Protocol 7 encodes `data` as JSON text within the JSON frame, except for
 * `pusher:error`, ping and pong. Fields are in Pusher's order.
 */

/** Builds the handshake: the first frame of every connection. */
export function connectionEstablished(socketId: string, activityTimeout: number): string {
  return frame(
    'pusher:connection_established',
    JSON.stringify({ socket_id: socketId, activity_timeout: activityTimeout }),
  );
}

/**
 * Serialises an event once for several channels.
 *
 * @param data what subscribers receive: JSON text, or any other text
 * @returns builds the frame for one channel
 */
export function eventFrames(event: string, data: string, userId?: string): (channel: string) => string {
  const head = `{"event":${JSON.stringify(event)},"data":${JSON.stringify(data)},"channel":`;
  const tail = userId === undefined ? '}' : `,"user_id":${JSON.stringify(userId)}}`;
  return (channel) => head + JSON.stringify(channel) + tail;
}

/**
 * Builds the reply to a successful subscription.
 *
 * @param members on a presence channel: user ids, each with the JSON text of the user's public details. The JSON is
 *   concatenated rather than built from an object, so that `__proto__` is a valid user id.
 */
export function subscriptionSucceeded(channel: string, members?: Iterable<[string, string]>): string {
  if (!members) return frame('pusher_internal:subscription_succeeded', '{}', channel);
  const ids: string[] = [];
  const hash: string[] = [];
  for (const [id, info] of members) {
    const name = JSON.stringify(id);
    ids.push(name);
    hash.push(`${name}:${info}`);
  }
  const data = `{"presence":{"count":${ids.length},"ids":[${ids.join(',')}],"hash":{${hash.join(',')}}}}`;
  return frame('pusher_internal:subscription_succeeded', data, channel);
}

export interface SubscriptionError {
  type: 'AuthError' | 'InvalidChannel' | 'LimitReached' | 'RateLimited';
  error: string;
  /** An HTTP status. */
  status: number;
}

/** Builds the reply to a rejected subscription. */
export function subscriptionError(channel: string, error: SubscriptionError): string {
  return frame('pusher:subscription_error', JSON.stringify(error), channel);
}

/**
 * Builds the notification that a user has joined a presence channel.
 *
 * @param info JSON text
 */
export function memberAdded(channel: string, userId: string, info: string): string {
  const data = `{"user_id":${JSON.stringify(userId)},"user_info":${info}}`;
  return frame('pusher_internal:member_added', data, channel);
}

/** Builds the notification that a user has left a presence channel. */
export function memberRemoved(channel: string, userId: string): string {
  return frame('pusher_internal:member_removed', JSON.stringify({ user_id: userId }), channel);
}

/** Builds the reply to a successful sign-in. */
export function signInSucceeded(userData: string): string {
  return frame('pusher:signin_success', JSON.stringify({ user_data: userData }));
}

/** Builds an error that leaves the connection open. pusher-js fails unless `code` is a number. */
export function errorFrame(code: number, message: string): string {
  return JSON.stringify({ event: 'pusher:error', data: { code, message } });
}

export const pingFrame = '{"event":"pusher:ping","data":{}}';
export const pongFrame = '{"event":"pusher:pong","data":{}}';

function frame(event: string, data: string, channel?: string): string {
  return JSON.stringify(channel === undefined ? { event, data } : { event, data, channel });
}

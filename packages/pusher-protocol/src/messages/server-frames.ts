/*
 * What a server sends. `data` is JSON text inside of JSON, as protocol 7 has it, but for `pusher:error`, ping and
 * pong. Fields stand in the order in which Pusher sends them.
 */

/** The first frame of every connection. */
export function connectionEstablished(socketId: string, activityTimeout: number): string {
  return frame(
    'pusher:connection_established',
    JSON.stringify({ socket_id: socketId, activity_timeout: activityTimeout }),
  );
}

/**
 * An event for many: what is costly is done once, here.
 *
 * @param data what receivers get: JSON text, or any text
 * @returns the frame of each channel
 */
export function eventFrames(event: string, data: string, userId?: string): (channel: string) => string {
  const head = `{"event":${JSON.stringify(event)},"data":${JSON.stringify(data)},"channel":`;
  const tail = userId === undefined ? '}' : `,"user_id":${JSON.stringify(userId)}}`;
  return (channel) => head + JSON.stringify(channel) + tail;
}

/**
 * @param members on a presence channel each user's id with the JSON text of what is known of the user. The object is
 *   written by hand: a member called `__proto__` is a member.
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
  /** In the manner of HTTP. */
  status: number;
}

export function subscriptionError(channel: string, fault: SubscriptionError): string {
  return frame('pusher:subscription_error', JSON.stringify(fault), channel);
}

/** @param info JSON text */
export function memberAdded(channel: string, userId: string, info: string): string {
  const data = `{"user_id":${JSON.stringify(userId)},"user_info":${info}}`;
  return frame('pusher_internal:member_added', data, channel);
}

export function memberRemoved(channel: string, userId: string): string {
  return frame('pusher_internal:member_removed', JSON.stringify({ user_id: userId }), channel);
}

export function signInSucceeded(userData: string): string {
  return frame('pusher:signin_success', JSON.stringify({ user_data: userData }));
}

/** Told, not enforced: a connection that is open stays open. `code` is a number always; pusher-js fails without. */
export function errorFrame(code: number, message: string): string {
  return JSON.stringify({ event: 'pusher:error', data: { code, message } });
}

export const pingFrame = '{"event":"pusher:ping","data":{}}';
export const pongFrame = '{"event":"pusher:pong","data":{}}';

function frame(event: string, data: string, channel?: string): string {
  return JSON.stringify(channel === undefined ? { event, data } : { event, data, channel });
}

import { classifyChannel } from '../channels/channel-names.ts';
import type { Publication } from '../channels/publication.ts';
import { publish } from '../channels/publish.ts';
import type { Effect } from '../effects.ts';
import { isJsonObject, parseJson, readField } from '../messages/parse-json.ts';
import type { ChannelRegistry } from '../registry.ts';
import {
  countConnections,
  countSubscriptions,
  isOccupied,
  listOccupiedChannels,
} from '../servers/count-everywhere.ts';
import { terminateUser } from '../servers/terminate-user.ts';
import { type HttpApiRequest, verifyHttpRequest } from './request-signatures.ts';

export interface HttpApiResponse {
  status: number;
  /** JSON text; an error is `{"error": "…"}`. */
  body: string;
  /** Apply these before you send the response, so that the events are on their way when the publisher receives it. */
  effects: Effect[];
}

/**
 * Handles a request to the signed HTTP API: `/apps/{id}/events`, `/batch_events`, `/channels`, `/channels/{name}`,
 * `/channels/{name}/users`, `/users/{id}/terminate_connections`, `/connections`. Never throws.
 *
 * All counts are of all servers. Subscriptions on the other servers are known after their next announcement, and
 * connections after their next heartbeat.
 *
 * @param now milliseconds since 1970
 */
export function handleHttpApiRequest(
  registry: ChannelRegistry,
  request: HttpApiRequest,
  now: number,
): HttpApiResponse {
  const [root, apps, appId, ...rest] = request.path.split('/');
  if (root !== '' || apps !== 'apps' || appId === undefined) return errorResponse(404, 'Not found.');
  if (appId !== registry.app.id) return errorResponse(404, 'Unknown app id.');
  const route = routes.find(({ parts }) => matches(parts, rest));
  if (!route) return errorResponse(404, 'Not found.');
  if (request.method !== route.method) return errorResponse(405, `Use ${route.method}.`);
  if (request.body.length > registry.limits.requestBytes) return errorResponse(413, 'The body is too long.');
  const verification = verifyHttpRequest(registry.app, request, now, registry.limits.requestAgeSeconds);
  if ('error' in verification) return errorResponse(401, verification.error);
  const name = decodePart(route.parts.length > 1 ? (rest[1] ?? '') : '');
  if (name === undefined) return errorResponse(400, 'The path is not valid percent-encoding.');
  return route.handle(registry, { name, parameters: verification.parameters, body: request.body });
}

interface ApiCall {
  /** The decoded second segment of the path: a channel name or a user id. */
  name: string;
  parameters: Map<string, string>;
  body: Uint8Array;
}

interface Route {
  method: 'GET' | 'POST';
  /** `*` matches any name. */
  parts: readonly string[];
  handle(registry: ChannelRegistry, call: ApiCall): HttpApiResponse;
}

const routes: readonly Route[] = [
  { method: 'POST', parts: ['events'], handle: handleEvent },
  { method: 'POST', parts: ['batch_events'], handle: handleBatch },
  { method: 'GET', parts: ['channels'], handle: handleChannels },
  { method: 'GET', parts: ['channels', '*'], handle: handleChannel },
  { method: 'GET', parts: ['channels', '*', 'users'], handle: handleUsers },
  { method: 'POST', parts: ['users', '*', 'terminate_connections'], handle: handleTerminate },
  { method: 'GET', parts: ['connections'], handle: handleConnections },
];

function handleEvent(registry: ChannelRegistry, { body }: ApiCall): HttpApiResponse {
  const value = readBody(registry, body);
  const event = readEvent(registry, value, readChannels(value));
  if ('error' in event) return event.error;
  const effects = publish(registry, event.publication);
  if (event.info.size === 0) return okResponse({}, effects);
  const channels = event.publication.channels.map((name) => [
    name,
    describeChannel(registry, name, event.info),
  ]);
  return okResponse({ channels: Object.fromEntries(channels) }, effects);
}

function handleBatch(registry: ChannelRegistry, { body }: ApiCall): HttpApiResponse {
  const batch = readField(readBody(registry, body), 'batch');
  if (!Array.isArray(batch)) return errorResponse(400, 'The batch must be an array of events.');
  if (batch.length > registry.limits.eventsPerBatch) {
    return errorResponse(400, `The batch must have at most ${registry.limits.eventsPerBatch} events.`);
  }
  // Validate all events before the first is sent, so that a rejected batch sends nothing.
  const events: { publication: Publication; info: Set<string> }[] = [];
  for (const value of batch as unknown[]) {
    const event = readEvent(registry, value, [readField(value, 'channel')]);
    if ('error' in event) return event.error;
    events.push(event);
  }
  const effects = events.flatMap(({ publication }) => publish(registry, publication));
  if (events.every(({ info }) => info.size === 0)) return okResponse({ batch: {} }, effects);
  const described = events.map(({ publication, info }) =>
    describeChannel(registry, publication.channels[0] ?? '', info),
  );
  return okResponse({ batch: described }, effects);
}

function handleChannels(registry: ChannelRegistry, { parameters }: ApiCall): HttpApiResponse {
  const prefix = parameters.get('filter_by_prefix') ?? '';
  const info = readInfo(parameters.get('info'));
  const names = listOccupiedChannels(registry).filter((name) => name.startsWith(prefix));
  return okResponse({
    channels: Object.fromEntries(names.map((name) => [name, describeChannel(registry, name, info)])),
  });
}

function handleChannel(registry: ChannelRegistry, { name, parameters }: ApiCall): HttpApiResponse {
  if (!isChannelName(registry, name)) return errorResponse(400, 'The channel name is not valid.');
  if (!isOccupied(registry, name)) return okResponse({ occupied: false });
  return okResponse({ occupied: true, ...describeChannel(registry, name, readInfo(parameters.get('info'))) });
}

function handleUsers(registry: ChannelRegistry, { name }: ApiCall): HttpApiResponse {
  if (classifyChannel(name, registry.limits) !== 'presence') {
    return errorResponse(400, 'Only presence channels have users.');
  }
  const channel = registry.channels.get(name);
  if (!channel) return errorResponse(404, 'The channel has no subscribers.');
  return okResponse({ users: [...(channel.members?.keys() ?? [])].map((id) => ({ id })) });
}

function handleTerminate(registry: ChannelRegistry, { name }: ApiCall): HttpApiResponse {
  if (name === '' || name.length > registry.limits.userIdLength)
    return errorResponse(400, 'The user id is not valid.');
  return okResponse({}, terminateUser(registry, name));
}

function handleConnections(registry: ChannelRegistry): HttpApiResponse {
  return okResponse({ connections: countConnections(registry) });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readBody(registry: ChannelRegistry, body: Uint8Array): unknown {
  try {
    return parseJson(utf8.decode(body), registry.limits.jsonDepth)?.value;
  } catch {
    return undefined;
  }
}

function readChannels(value: unknown): unknown[] {
  const channels = readField(value, 'channels');
  if (Array.isArray(channels)) return channels;
  return channels === undefined ? [readField(value, 'channel')] : [channels];
}

function readEvent(
  registry: ChannelRegistry,
  value: unknown,
  channels: unknown[],
): { publication: Publication; info: Set<string> } | { error: HttpApiResponse } {
  const { limits } = registry;
  const invalid = (message: string, status = 400) => ({ error: errorResponse(status, message) });
  if (!isJsonObject(value)) return invalid('The body must be a JSON object.');
  const event = readField(value, 'name');
  const data = readField(value, 'data');
  const except = readField(value, 'socket_id') ?? null;
  const info = readField(value, 'info') ?? '';
  if (typeof event !== 'string' || event === '') return invalid('The name must be a non-empty string.');
  if (event.length > limits.eventNameLength) {
    return invalid(`The name must have at most ${limits.eventNameLength} characters.`);
  }
  if (/^pusher(?:_internal)?:/.test(event)) return invalid('Names that start with pusher: are reserved.');
  if (typeof data !== 'string') return invalid('The data must be a string.');
  if (Buffer.byteLength(data) > limits.eventDataBytes) {
    return invalid(`The data must have at most ${limits.eventDataBytes} bytes.`, 413);
  }
  if (channels.length === 0) return invalid('The event needs at least one channel.');
  if (channels.length > limits.channelsPerEvent) {
    return invalid(`The event must have at most ${limits.channelsPerEvent} channels.`);
  }
  if (!channels.every((name): name is string => isChannelName(registry, name))) {
    return invalid('The channel name is not valid.');
  }
  if (except !== null && typeof except !== 'string') return invalid('The socket_id must be a string.');
  if (typeof info !== 'string') return invalid('The info must be a string.');
  return { publication: { channels: [...new Set(channels)], event, data, except }, info: readInfo(info) };
}

function isChannelName(registry: ChannelRegistry, name: unknown): name is string {
  if (typeof name !== 'string') return false;
  const kind = classifyChannel(name, registry.limits);
  return kind !== 'invalid' && kind !== 'unsupported';
}

function readInfo(info = ''): Set<string> {
  return new Set(info.split(',').filter((name) => name !== ''));
}

/** Presence channels have a `user_count`, all others a `subscription_count`, as in Reverb. */
function describeChannel(registry: ChannelRegistry, name: string, info: Set<string>): object {
  if (classifyChannel(name, registry.limits) === 'presence') {
    return info.has('user_count') ? { user_count: registry.channels.get(name)?.members?.size ?? 0 } : {};
  }
  return info.has('subscription_count') ? { subscription_count: countSubscriptions(registry, name) } : {};
}

function matches(parts: readonly string[], path: readonly string[]): boolean {
  return parts.length === path.length && parts.every((part, index) => part === '*' || part === path[index]);
}

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function okResponse(body: object, effects: Effect[] = []): HttpApiResponse {
  return { status: 200, body: JSON.stringify(body), effects };
}

function errorResponse(status: number, error: string): HttpApiResponse {
  return { status, body: JSON.stringify({ error }), effects: [] };
}

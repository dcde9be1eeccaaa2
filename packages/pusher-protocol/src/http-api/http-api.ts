import { classifyChannel } from '../channels/channel-names.ts';
import { type Publication, publish } from '../channels/publish.ts';
import { isSocketId } from '../connection/socket-ids.ts';
import type { Effect } from '../effects.ts';
import { isJsonObject, parseJson, readField } from '../messages/parse-json.ts';
import type { Channel, ChannelRegistry } from '../registry.ts';
import { terminateUser } from '../servers/server-messages.ts';
import { type HttpApiRequest, verifyHttpRequest } from './request-signatures.ts';

export interface HttpApiResponse {
  status: number;
  /** JSON text; a refusal is `{"error": "…"}`. */
  body: string;
  /** To be carried out before the answer is sent, so that who has the answer knows the events to be on their way. */
  effects: Effect[];
}

/**
 * Answers a request of the signed HTTP API: `/apps/{id}/events`, `/batch_events`, `/channels`, `/channels/{name}`,
 * `/channels/{name}/users`, `/users/{id}/terminate_connections`, `/connections`. Never throws.
 *
 * Users are those of all servers, subscriptions and connections those of this one.
 *
 * @param now milliseconds since 1970
 */
export function handleHttpApiRequest(
  registry: ChannelRegistry,
  request: HttpApiRequest,
  now: number,
): HttpApiResponse {
  const [root, apps, appId, ...rest] = request.path.split('/');
  if (root !== '' || apps !== 'apps' || appId === undefined) return errorResponse(404, 'Nothing is here.');
  if (appId !== registry.app.id) return errorResponse(404, 'The app is not known.');
  const route = routes.find(({ parts }) => matches(parts, rest));
  if (!route) return errorResponse(404, 'Nothing is here.');
  if (request.method !== route.method) return errorResponse(405, `Only ${route.method} is possible here.`);
  if (request.body.length > registry.limits.requestBytes) return errorResponse(413, 'The body is too long.');
  const checked = verifyHttpRequest(registry.app, request, now, registry.limits.requestAgeSeconds);
  if ('fault' in checked) return errorResponse(401, checked.fault);
  const name = decodePart(route.parts.length > 1 ? (rest[1] ?? '') : '');
  if (name === undefined) return errorResponse(400, 'The path is not well encoded.');
  return route.answer(registry, { name, parameters: checked.parameters, body: request.body });
}

interface ApiCall {
  /** The decoded second part of the path: a channel's name or a user's id. */
  name: string;
  parameters: Map<string, string>;
  body: Uint8Array;
}

interface Route {
  method: 'GET' | 'POST';
  /** `*` stands for a name. */
  parts: readonly string[];
  answer(registry: ChannelRegistry, call: ApiCall): HttpApiResponse;
}

const routes: readonly Route[] = [
  { method: 'POST', parts: ['events'], answer: handleEvent },
  { method: 'POST', parts: ['batch_events'], answer: handleBatch },
  { method: 'GET', parts: ['channels'], answer: handleChannels },
  { method: 'GET', parts: ['channels', '*'], answer: handleChannel },
  { method: 'GET', parts: ['channels', '*', 'users'], answer: handleUsers },
  { method: 'POST', parts: ['users', '*', 'terminate_connections'], answer: handleTerminate },
  { method: 'GET', parts: ['connections'], answer: handleConnections },
];

function handleEvent(registry: ChannelRegistry, { body }: ApiCall): HttpApiResponse {
  const value = readBody(registry, body);
  const event = readEvent(registry, value, readChannels(value));
  if ('fault' in event) return event.fault;
  const effects = publish(registry, event.publication);
  if (event.info.size === 0) return answer({}, effects);
  const channels = event.publication.channels.map((name) => [
    name,
    describeChannel(registry, name, event.info),
  ]);
  return answer({ channels: Object.fromEntries(channels) }, effects);
}

function handleBatch(registry: ChannelRegistry, { body }: ApiCall): HttpApiResponse {
  const batch = readField(readBody(registry, body), 'batch');
  if (!Array.isArray(batch)) return errorResponse(400, 'The batch must be a list of events.');
  if (batch.length > registry.limits.eventsPerBatch) {
    return errorResponse(400, `A batch has ${registry.limits.eventsPerBatch} events at most.`);
  }
  // All of them are checked before the first is sent: a refused batch has sent nothing.
  const events: { publication: Publication; info: Set<string> }[] = [];
  for (const value of batch as unknown[]) {
    const event = readEvent(registry, value, [readField(value, 'channel')]);
    if ('fault' in event) return event.fault;
    events.push(event);
  }
  const effects = events.flatMap(({ publication }) => publish(registry, publication));
  if (events.every(({ info }) => info.size === 0)) return answer({ batch: {} }, effects);
  const described = events.map(({ publication, info }) =>
    describeChannel(registry, publication.channels[0] ?? '', info),
  );
  return answer({ batch: described }, effects);
}

function handleChannels(registry: ChannelRegistry, { parameters }: ApiCall): HttpApiResponse {
  const prefix = parameters.get('filter_by_prefix') ?? '';
  const info = readInfo(parameters.get('info'));
  const found: [string, object][] = [];
  for (const channel of registry.channels.values()) {
    if (channel.name.startsWith(prefix))
      found.push([channel.name, describeChannel(registry, channel.name, info)]);
  }
  return answer({ channels: Object.fromEntries(found) });
}

function handleChannel(registry: ChannelRegistry, { name, parameters }: ApiCall): HttpApiResponse {
  if (!isChannelName(registry, name)) return errorResponse(400, 'Not a name for a channel.');
  if (!registry.channels.has(name)) return answer({ occupied: false });
  return answer({ occupied: true, ...describeChannel(registry, name, readInfo(parameters.get('info'))) });
}

function handleUsers(registry: ChannelRegistry, { name }: ApiCall): HttpApiResponse {
  if (classifyChannel(name, registry.limits) !== 'presence') {
    return errorResponse(400, 'Only presence channels have users.');
  }
  const channel = registry.channels.get(name);
  if (!channel) return errorResponse(404, 'Nobody is on this channel.');
  return answer({ users: [...(channel.members?.keys() ?? [])].map((id) => ({ id })) });
}

function handleTerminate(registry: ChannelRegistry, { name }: ApiCall): HttpApiResponse {
  if (name === '' || name.length > registry.limits.userIdLength)
    return errorResponse(400, 'Not the id of a user.');
  return answer({}, terminateUser(registry, name));
}

function handleConnections(registry: ChannelRegistry): HttpApiResponse {
  return answer({ connections: registry.connections.size });
}

function readBody(registry: ChannelRegistry, body: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return parseJson(text, registry.limits.jsonDepth)?.value;
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
): { publication: Publication; info: Set<string> } | { fault: HttpApiResponse } {
  const { limits } = registry;
  const bad = (message: string, status = 400) => ({ fault: errorResponse(status, message) });
  if (!isJsonObject(value)) return bad('The body must be a JSON object.');
  const event = readField(value, 'name');
  const data = readField(value, 'data');
  const except = readField(value, 'socket_id') ?? null;
  const info = readField(value, 'info') ?? '';
  if (typeof event !== 'string' || event === '') return bad('The name must be a text.');
  if (event.length > limits.eventNameLength) {
    return bad(`The name has ${limits.eventNameLength} characters at most.`);
  }
  if (/^pusher(?:_internal)?:/.test(event)) return bad('Names that begin with pusher: are for the server.');
  if (typeof data !== 'string') return bad('The data must be a text.');
  if (Buffer.byteLength(data) > limits.eventDataBytes) {
    return bad(`The data has ${limits.eventDataBytes} bytes at most.`, 413);
  }
  if (channels.length === 0) return bad('Name a channel.');
  if (channels.length > limits.channelsPerEvent) {
    return bad(`An event goes to ${limits.channelsPerEvent} channels at most.`);
  }
  if (!channels.every((name): name is string => isChannelName(registry, name))) {
    return bad('Not a name for a channel.');
  }
  if (except !== null && !(typeof except === 'string' && isSocketId(except))) {
    return bad('The socket_id must be two numbers with a dot.');
  }
  if (typeof info !== 'string') return bad('The info must be a text.');
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

/** Presence channels have a `user_count`, all others a `subscription_count`, as Reverb has it. */
function describeChannel(registry: ChannelRegistry, name: string, info: Set<string>): object {
  const channel: Channel | undefined = registry.channels.get(name);
  if (classifyChannel(name, registry.limits) === 'presence') {
    return info.has('user_count') ? { user_count: channel?.members?.size ?? 0 } : {};
  }
  return info.has('subscription_count') ? { subscription_count: channel?.subscribers.size ?? 0 } : {};
}

function matches(parts: readonly string[], given: readonly string[]): boolean {
  return parts.length === given.length && parts.every((part, at) => part === '*' || part === given[at]);
}

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function answer(body: object, effects: Effect[] = []): HttpApiResponse {
  return { status: 200, body: JSON.stringify(body), effects };
}

function errorResponse(status: number, error: string): HttpApiResponse {
  return { status, body: JSON.stringify({ error }), effects: [] };
}

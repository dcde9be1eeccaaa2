import type { ChannelRegistry } from '../registry.ts';
import type { ServerMessage } from './server-messages.ts';
import { type ServerState, setMember, setSubscriptions } from './server-state.ts';
import type { Unannounced } from './unannounced.ts';

/** Records that a user may have joined or left a presence channel on this server. */
export function noteMember({ unannounced }: ChannelRegistry, channel: string, userId: string): void {
  if (unannounced.isEverything) return;
  unannounced.members.set(channel, (unannounced.members.get(channel) ?? new Set()).add(userId));
  limitEntries(unannounced);
}

/** Records that the number of subscriptions to a channel on this server has changed. */
export function noteSize({ unannounced }: ChannelRegistry, channel: string): void {
  if (unannounced.isEverything) return;
  unannounced.sizes.add(channel);
  limitEntries(unannounced);
}

/** Tells whether presence members have changed that were not announced yet. */
export function hasUnannouncedMembers({ unannounced }: ChannelRegistry): boolean {
  return unannounced.members.size > 0 || unannounced.isEverything || unannounced.wholeState !== null;
}

/**
 * Sends the whole state of this server again, as the next announcements: for a new server, or for one with an
 * outdated copy.
 */
export function announceWholeState({ announced, unannounced }: ChannelRegistry): void {
  if (unannounced.wholeState) unannounced.isWholeStateRequestedAgain = true;
  else unannounced.wholeState = listState(announced);
}

/**
 * Returns the next message that announces a change of this server to the others, and counts it as announced. Send it
 * before any later one. Call it until it returns undefined.
 *
 * @param options.sizes whether to announce changed numbers of subscriptions too. They change often and serve only the
 *   HTTP API: once a second is enough.
 */
export function takeAnnouncement(
  registry: ChannelRegistry,
  options: { sizes: boolean },
): ServerMessage | undefined {
  const { unannounced } = registry;
  const part = nextPartOfWholeState(registry);
  if (part) return part;
  if (unannounced.isEverything) noteEverything(registry);
  const message = takeMembers(registry) ?? (options.sizes ? takeSizes(registry) : undefined);
  if (unannounced.members.size + unannounced.sizes.size === 0) unannounced.added = 0;
  return message;
}

/**
 * Returns the message that shows that this server is alive and lets the others verify their copies of its state. Send
 * it in order with the announcements.
 */
export function createHeartbeat({ announced, unannounced, connections }: ChannelRegistry): ServerMessage {
  const digest = unannounced.wholeState ? null : announced.digest.toString(16);
  return { kind: 'heartbeat', digest, connections: connections.size };
}

function nextPartOfWholeState({ announced, unannounced }: ChannelRegistry): ServerMessage | undefined {
  const part = unannounced.wholeState?.next();
  if (!part) return undefined;
  if (!part.done) return part.value;
  unannounced.wholeState = unannounced.isWholeStateRequestedAgain ? listState(announced) : null;
  unannounced.isWholeStateRequestedAgain = false;
  return { kind: 'state-end' };
}

/** The state cannot change before the last part, because parts are taken before changes. */
function* listState({ channels }: ServerState): Generator<ServerMessage, undefined> {
  yield { kind: 'state-start' };
  for (const [channel, { members }] of channels) {
    for (const joined of inBatches(members, entriesPerMessage)) {
      yield { kind: 'members', channel, joined, left: [] };
    }
  }
  const sizes = [...channels].map(([name, { subscriptions }]): [string, number] => [name, subscriptions]);
  for (const batch of inBatches(sizes, entriesPerMessage)) yield { kind: 'sizes', channels: batch };
}

function takeMembers(registry: ChannelRegistry): ServerMessage | undefined {
  const { announced, channels, unannounced } = registry;
  for (const [name, userIds] of unannounced.members) {
    const members = channels.get(name)?.members;
    const joined: [string, string][] = [];
    const left: string[] = [];
    for (const userId of userIds) {
      userIds.delete(userId);
      const member = members?.get(userId);
      const info = member && member.localConnections > 0 ? member.info : null;
      if (!setMember(announced, name, userId, info)) continue;
      if (info === null) left.push(userId);
      else joined.push([userId, info]);
      if (joined.length + left.length === entriesPerMessage) break;
    }
    if (userIds.size === 0) unannounced.members.delete(name);
    if (joined.length + left.length > 0) return { kind: 'members', channel: name, joined, left };
  }
  return undefined;
}

function takeSizes({ announced, channels, unannounced }: ChannelRegistry): ServerMessage | undefined {
  const changed: [string, number][] = [];
  for (const name of unannounced.sizes) {
    unannounced.sizes.delete(name);
    const size = channels.get(name)?.subscribers.size ?? 0;
    if (setSubscriptions(announced, name, size)) changed.push([name, size]);
    if (changed.length === entriesPerMessage) break;
  }
  return changed.length > 0 ? { kind: 'sizes', channels: changed } : undefined;
}

function noteEverything({ announced, channels, unannounced }: ChannelRegistry): void {
  unannounced.isEverything = false;
  unannounced.added = 0;
  const note = (name: string, userIds: Iterable<string>) => {
    unannounced.sizes.add(name);
    const noted = unannounced.members.get(name) ?? new Set();
    for (const userId of userIds) noted.add(userId);
    if (noted.size > 0) unannounced.members.set(name, noted);
  };
  for (const [name, { members }] of announced.channels) note(name, members.keys());
  for (const [name, { members }] of channels) note(name, members?.keys() ?? []);
}

/** Counts an entry that was added. */
function limitEntries(unannounced: Unannounced): void {
  unannounced.added += 1;
  if (unannounced.added <= maxEntries) return;
  unannounced.isEverything = true;
  unannounced.members.clear();
  unannounced.sizes.clear();
}

function* inBatches<T>(values: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const value of values) {
    batch.push(value);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const entriesPerMessage = 50;

/** Above it, comparing the whole state is cheaper than keeping each change. */
const maxEntries = 10_000;

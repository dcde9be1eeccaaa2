import {
  announceWholeState,
  type ChannelRegistry,
  createHeartbeat,
  hasUnannouncedMembers,
  takeAnnouncement,
} from '@keyturn/pusher-protocol';
import { createOutgoingMessages } from './outgoing-messages.ts';
import { type PeerMessage, writePeerMessage } from './peer-messages.ts';

/** What this server sends to the others: messages about single connections, heartbeats, and changes of its state. */
export interface PeerOutbox {
  /** @param key replaces a waiting message with the same key */
  send(message: PeerMessage, key?: string): void;
  sendHeartbeat(): void;
  /** Sends the last message. */
  sendGoodbye(): void;
  announceMembers(): void;
  announceSizes(): void;
  announceWholeState(): void;
  /** Removes and returns the next text to send; undefined if there is none. */
  take(): string | undefined;
}

export interface PeerOutboxOptions {
  registry: ChannelRegistry;
  /** The name of this server. */
  self: string;
  /** Called when there are texts to take. */
  onText(): void;
  hasPeers(): boolean;
  maxQueuedBytes: number;
}

export function createPeerOutbox(options: PeerOutboxOptions): PeerOutbox {
  const { registry, self, onText, hasPeers } = options;
  const toText = (message: PeerMessage) => writePeerMessage(self, message);
  const outgoing = createOutgoingMessages({
    lostMessage: toText({ lost: true }),
    maxBytes: options.maxQueuedBytes,
  });
  let isHeartbeatDue = false;
  let areSizesDue = false;
  let hasSaidGoodbye = false;

  const send = (message: PeerMessage, key?: string) => {
    outgoing.add(toText(message), key);
    onText();
  };
  const takeAboutState = (): PeerMessage | undefined => {
    // The others would mistake any message after the goodbye for one of a new server.
    if (hasSaidGoodbye) return undefined;
    if (isHeartbeatDue) {
      isHeartbeatDue = false;
      return { message: createHeartbeat(registry) };
    }
    // Without another server nothing is announced; a new one is sent the whole state.
    const message = hasPeers() ? takeAnnouncement(registry, { sizes: areSizesDue }) : undefined;
    if (!message) areSizesDue = false;
    return message && { message };
  };

  return {
    send,
    sendHeartbeat: () => {
      isHeartbeatDue = true;
      onText();
    },
    sendGoodbye: () => {
      hasSaidGoodbye = true;
      send({ bye: true });
    },
    announceMembers: () => {
      if (hasPeers() && hasUnannouncedMembers(registry)) onText();
    },
    announceSizes: () => {
      areSizesDue = true;
      onText();
    },
    announceWholeState: () => {
      announceWholeState(registry);
      onText();
    },
    take: () => {
      // A termination must not wait for a list of members.
      const text = outgoing.take();
      if (text !== undefined) return text;
      const message = takeAboutState();
      return message && toText(message);
    },
  };
}

import {
  announceWholeState,
  type ChannelRegistry,
  createHeartbeat,
  hasUnannouncedMembers,
  takeAnnouncement,
} from '@keyturn/pusher-protocol';
import { createSentMessages } from './numbered-messages.ts';
import { createOutgoingMessages } from './outgoing-messages.ts';
import { type PeerMessage, writePeerMessage } from './peer-messages.ts';

/** The messages from this server to the others: about single connections, heartbeats, and changes of its state. */
export interface PeerOutbox {
  /** @param key replaces a waiting message with the same key */
  send(message: PeerMessage, key?: string): void;
  /** Sends all messages after this number again, because a server has missed them. */
  sendAgain(to: string, after: number): void;
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
    lostMessage: JSON.stringify({ lost: true } satisfies PeerMessage),
    maxBytes: options.maxQueuedBytes,
  });
  const sent = createSentMessages(options.maxQueuedBytes / 4);
  let sendingAgain: string[] = [];
  let isHeartbeatDue = false;
  let areSizesDue = false;
  let hasSaidGoodbye = false;

  const send = (message: PeerMessage, key?: string) => {
    outgoing.add(JSON.stringify(message), key);
    onText();
  };
  const takeMessage = (): string | undefined => {
    const text = sendingAgain.shift() ?? outgoing.take();
    if (text === undefined || text.startsWith('{"from"')) return text;
    const message = JSON.parse(text) as PeerMessage;
    const isNumbered = message.message !== undefined || message.bound !== undefined || message.lost === true;
    return isNumbered ? sent.add((number) => writePeerMessage(self, message, number)) : toText(message);
  };
  const takeAboutState = (): PeerMessage | undefined => {
    // The others would mistake any message after the goodbye for one of a new server.
    if (hasSaidGoodbye) return undefined;
    if (isHeartbeatDue) {
      isHeartbeatDue = false;
      return { message: createHeartbeat(registry), last: sent.last() };
    }
    // Without another server nothing is announced; a new one is sent the whole state.
    const message = hasPeers() ? takeAnnouncement(registry, { sizes: areSizesDue }) : undefined;
    if (!message) areSizesDue = false;
    return message && { message };
  };

  return {
    send,
    sendAgain: (to, after) => {
      const messages = sent.listAfter(after);
      if (messages === null) send({ gone: { to, last: sent.last() } }, `gone ${to}`);
      // Keeps the order: a later message that is waiting is taken after these.
      else sendingAgain = messages;
      onText();
    },
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
      const text = takeMessage();
      if (text !== undefined) return text;
      const message = takeAboutState();
      return message && toText(message);
    },
  };
}

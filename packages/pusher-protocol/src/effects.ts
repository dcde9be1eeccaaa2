import type { ServerMessage } from './servers/server-messages.ts';

/** What is to be done at the sockets and towards other servers, in this order. */
export type Effect = SendEffect | CloseEffect | NotifyServersEffect;

/** The same text frame to each of these connections. Never empty, nobody twice. */
export interface SendEffect {
  kind: 'send';
  /** Socket ids. */
  to: readonly string[];
  frame: string;
}

/** After what was sent to it before. The registry has forgotten the connection already. */
export interface CloseEffect {
  kind: 'close';
  socketId: string;
  code: number;
  reason: string;
}

/** For every other server; a server that is alone lets it fall. */
export interface NotifyServersEffect {
  kind: 'notify-servers';
  message: ServerMessage;
}

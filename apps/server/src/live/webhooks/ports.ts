/** A signed message for an endpoint. */
export interface OutgoingMessage {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The result of an attempt: the status of the response, or the reason why there was none. */
export type ReceiverAnswer = { status: number; error: null } | { status: null; error: string };

/**
 * Sends a message once, by POST. Redirects are not followed, and the content of the answer is not kept.
 * @param signal ends the attempt
 * @returns the outcome; it never throws
 */
export type SendMessage = (message: OutgoingMessage, signal: AbortSignal) => Promise<ReceiverAnswer>;

import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { ReceiverAnswer, SendMessage } from '../../live/webhooks/ports.ts';
import { describeError } from '../../platform/describe-error.ts';
import { isPublicAddress } from '../../platform/public-address.ts';
import type { WebhookTargetRules } from '../../platform/webhook-target-rules.ts';
import type { ResolveTarget } from './resolve-target.ts';

/** The rules also apply to endpoints that were created when the settings allowed more. */
export interface SenderOptions extends WebhookTargetRules {
  resolve: ResolveTarget;
  /** The timeout of a whole attempt, in milliseconds. */
  timeout?: number;
  /** Certificates to trust instead of the usual authorities. */
  ca?: string;
}

/**
 * The number of bytes of a response that are read, so that a server with a short response sees no broken connection.
 */
const maxAnswer = 64 * 1024;

/**
 * Creates the sender of webhook messages. It resolves the target’s name once, refuses it if any of its addresses is not
 * allowed, and connects to one of the addresses that were checked: a name server that answers differently the next time
 * cannot redirect it. Each message has its own connection.
 */
export function createMessageSender(options: SenderOptions): SendMessage {
  const { timeout = 15_000 } = options;
  return async (message, signal) => {
    const url = new URL(message.url);
    if (url.protocol !== 'https:' && !options.allowsHttp)
      return failed('the address does not start with https');
    const ending = new AbortController();
    const end = () => ending.abort();
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    const timer = setTimeout(end, timeout);
    try {
      const addresses = await endWith(ending.signal, options.resolve(url.hostname));
      const refused = addresses.find((address) => !options.allowsPrivate && !isPublicAddress(address));
      if (refused !== undefined) return failed(`${url.hostname} has the private address ${refused}`);
      const connection = { addresses, signal: ending.signal, ca: options.ca };
      return { status: await post(url, message, connection), error: null };
    } catch (error) {
      if (ending.signal.aborted && !signal.aborted)
        return failed(`no answer within ${timeout / 1_000} seconds`);
      // An error of several addresses has a code, but no message.
      const { message: reason, code } = describeError(error);
      return failed(reason || code || 'the connection failed');
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  };
}

const failed = (error: string): ReceiverAnswer => ({ status: null, error: error.slice(0, 500) });

/** @throws the signal’s reason if the signal comes first */
function endWith<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

/** @returns the status of the answer, once the answer has ended or enough of it was read */
function post(
  url: URL,
  { headers, body }: { headers: Record<string, string>; body: string },
  { addresses, signal, ca }: { addresses: string[]; signal: AbortSignal; ca: string | undefined },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': 'Keyturn-Webhooks/1' },
      // A kept-alive connection might already be closed by the receiver, and would use an earlier address.
      agent: false,
      lookup: lookupOf(addresses),
      // Overrides NODE_TLS_REJECT_UNAUTHORIZED=0.
      rejectUnauthorized: true,
      signal,
      ...(ca === undefined ? {} : { ca }),
    });
    request.on('error', reject);
    // Without this listener, the request would end with neither an error nor a response.
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode ?? 0);
    });
    let isAnswered = false;
    request.on('close', () => {
      if (!isAnswered) reject(new Error('the connection was closed without an answer'));
    });
    request.on('response', (response) => {
      isAnswered = true;
      let read = 0;
      response.on('data', (chunk: Buffer) => {
        read += chunk.length;
        if (read > maxAnswer) response.destroy();
      });
      // The status counts, even if the rest of the answer is late, too long or incomplete.
      response.on('error', () => {});
      response.on('close', () => resolve(response.statusCode ?? 0));
    });
    request.end(body);
  });
}

/** Returns a lookup function that always answers with the addresses that were resolved before. */
const lookupOf = (addresses: readonly string[]): LookupFunction => {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    const [first] = found;
    if (options.all) callback(null, found);
    else callback(null, first?.address ?? '', first?.family);
  };
};

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the proxy treats the requests that it gets. */
export type S3Fault =
  | 'none'
  /** Does not answer. */
  | 'silent'
  /** Sends half of a file and then nothing. */
  | 'stalls'
  /** Breaks the connection in the middle of a file, the first time. */
  | 'breaks-once'
  /** Answers “slow down” twice. */
  | 'busy-twice'
  | 'full'
  | 'refuses'
  | 'refuses-writes'
  | 'refuses-deletes'
  /** Changes the first byte of files. */
  | 'alters'
  /** Returns two keys in each part of a list. */
  | 'lists-two'
  /** Accepts files and stores nothing. */
  | 'forgets';

export interface FaultyProxy {
  url: string;
  /** The methods and paths of requests since the fault was set. */
  requests: string[];
  /** The headers of these requests. */
  headers: IncomingMessage['headers'][];
  fail(fault: S3Fault): void;
  stop(): Promise<void>;
}

/** Starts a proxy in front of an S3 server that can fail as stores do. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  let fault: S3Fault = 'none';
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((incoming, outgoing) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    headers.push(incoming.headers);
    incoming.on('error', () => {});
    if (fault === 'silent') return;
    const busy = fault === 'busy-twice' && requests.length <= 2;
    if (busy) return answerError(outgoing, 503, 'SlowDown');
    if (fault === 'refuses') return answerError(outgoing, 403, 'AccessDenied');
    if (fault === 'refuses-deletes' && incoming.method === 'DELETE')
      return answerError(outgoing, 403, 'AccessDenied');
    const isPut = incoming.method === 'PUT';
    if (isPut && fault === 'refuses-writes') return answerError(outgoing, 403, 'AccessDenied', incoming);
    if (isPut && fault === 'full') return answerError(outgoing, 507, 'InsufficientStorage', incoming);
    if (isPut && fault === 'forgets') {
      incoming.resume().on('end', () => outgoing.writeHead(200, { etag: '"0"' }).end());
      return;
    }
    passOn(target, incoming, outgoing, isPut ? 'none' : fault, requests.length);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    headers,
    fail: (next) => {
      fault = next;
      requests.length = 0;
      headers.length = 0;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function answerError(response: ServerResponse, status: number, code: string, body?: IncomingMessage): void {
  const text = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  const answer = () => response.writeHead(status, { 'content-type': 'application/xml' }).end(text);
  if (body) body.resume().on('end', answer);
  else answer();
}

function passOn(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fault: S3Fault,
  count: number,
): void {
  const { hostname, port } = new URL(target);
  const { method, url, headers } = incoming;
  const answer = async (received: IncomingMessage) => {
    const sent = Buffer.concat(await received.toArray());
    // The server itself fails if a list is longer than its answer may be.
    const body = fault === 'lists-two' ? shortenList(sent) : sent;
    if (body !== sent) delete received.headers['content-length'];
    const isFile = received.statusCode === 200 || received.statusCode === 206;
    const half = body.subarray(0, body.length / 2);
    outgoing.writeHead(received.statusCode ?? 502, received.headers);
    if (isFile && fault === 'alters') body.writeUInt8((body.at(0) ?? 0) ^ 1, 0);
    if (isFile && fault === 'stalls') outgoing.write(half);
    else if (isFile && fault === 'breaks-once' && count === 1) outgoing.write(half, () => outgoing.destroy());
    else outgoing.end(body);
  };
  const forwarded = request({ hostname, port, path: url, method, headers }, (received) => {
    answer(received).catch(() => outgoing.destroy());
  });
  forwarded.on('error', () => outgoing.destroy());
  incoming.pipe(forwarded);
}

/** Leaves the first two keys of a list. */
function shortenList(list: Buffer): Buffer {
  let count = 0;
  return Buffer.from(
    list.toString().replaceAll(/<Contents>.*?<\/Contents>/gs, (entry) => {
      count += 1;
      return count > 2 ? '' : entry;
    }),
  );
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, inflateSync } from 'node:zlib';

/** An item of an envelope. The payload is parsed JSON, or the headers and events of a session recording. */
export interface CollectedItem {
  type: string;
  payload: unknown;
  /** The trace context in the envelope's headers, if there is one. */
  trace?: Record<string, string>;
}

/** A fake of Sentry's ingestion server, which accepts envelopes at `POST /api/{project}/envelope/`. */
export interface ErrorCollector {
  dsn: string;
  /** Everything received, as text, to search for data that must not be sent. */
  text(): string;
  items(type: string): CollectedItem[];
  /** The events of all session recordings, in the order received. */
  recorded(): RecordedEvent[];
  /** The number of requests received, including rejected ones. */
  requests(): number;
  /** Changes how the collector responds to later requests. */
  behave(answer: (response: ServerResponse) => void): void;
  close(): Promise<void>;
}

/**
 * An rrweb event. Type 2 is a full snapshot, 3 an incremental change or interaction, 5 a custom event added by
 * Sentry.
 */
export interface RecordedEvent {
  type: number;
  timestamp: number;
  data: unknown;
}

export async function startErrorCollector(): Promise<ErrorCollector> {
  const items: CollectedItem[] = [];
  const texts: string[] = [];
  let requests = 0;
  let answer = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"1"}');
  };
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    requests += 1;
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const body = await bodyOf(request);
    const isEnvelope =
      request.method === 'POST' && /^\/api\/42\/envelope\/\?.*sentry_key=key42/.test(request.url ?? '');
    if (isEnvelope) {
      texts.push(body.toString());
      items.push(...itemsOf(body));
    }
    answer(response);
  };
  const server = createServer((request, response) => void receive(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const ofType = (type: string) => items.filter((item) => item.type === type);
  return {
    dsn: `http://key42@127.0.0.1:${port}/42`,
    text: () => texts.join('\n'),
    items: ofType,
    recorded: () =>
      ofType('replay_recording').flatMap(({ payload }) => (payload as { events: RecordedEvent[] }).events),
    requests: () => requests,
    behave: (next) => {
      answer = next;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}

/**
 * Parses an envelope: lines of JSON with the envelope's headers, then the headers and the payload of each item. A
 * payload ends after its `length`, or at the next line break.
 */
function itemsOf(body: Buffer): CollectedItem[] {
  const found: CollectedItem[] = [];
  let at = body.indexOf(10) + 1;
  const { trace } = JSON.parse(body.subarray(0, at).toString());
  while (at > 0 && at < body.length) {
    const end = body.indexOf(10, at);
    const headers = JSON.parse(body.subarray(at, end).toString());
    const line = body.indexOf(10, end + 1);
    const payloadEnd =
      headers.length === undefined ? (line === -1 ? body.length : line) : end + 1 + headers.length;
    const payload = body.subarray(end + 1, payloadEnd);
    found.push({
      type: headers.type,
      payload: headers.type === 'replay_recording' ? recordingOf(payload) : JSON.parse(payload.toString()),
      trace,
    });
    at = payloadEnd + 1;
  }
  return found;
}

/** Parses a recording: a line of JSON with the segment's number, then the events, which may be compressed. */
function recordingOf(payload: Buffer): { segment: number; events: unknown } {
  const end = payload.indexOf(10);
  const rest = payload.subarray(end + 1);
  const isCompressed = rest[0] === 0x78;
  return {
    segment: JSON.parse(payload.subarray(0, end).toString()).segment_id,
    events: JSON.parse((isCompressed ? inflateSync(rest) : rest).toString()),
  };
}

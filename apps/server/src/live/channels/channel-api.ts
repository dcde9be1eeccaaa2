import type { IncomingMessage, ServerResponse } from 'node:http';
import { defaultLimits, type HttpApiRequest, type HttpApiResponse } from '@keyturn/pusher-protocol';

/**
 * Creates the handler of the Pusher HTTP API under `/apps`. Requests are signed with the secret: for servers, never
 * for browsers. It works on Node's own request, because the hooks of pages and of the API cost more than a publish
 * itself.
 * @returns a function that answers a request, and resolves to the status, or to null if the request was aborted
 */
export function channelApi(handleRequest: (request: HttpApiRequest) => HttpApiResponse) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<number | null> => {
    const body = await readBody(request);
    if (body === null) return null;
    const { method = '', url = '' } = request;
    const queryStart = url.indexOf('?');
    // The signature covers the URL before decoding. It must not be logged.
    const answer =
      body === 'too long'
        ? tooLong
        : handleRequest({
            method,
            path: queryStart < 0 ? url : url.slice(0, queryStart),
            query: queryStart < 0 ? '' : url.slice(queryStart + 1),
            body,
          });
    // Without this, Node.js would read the rest of a body that is too long.
    if (answer === tooLong) response.shouldKeepAlive = false;
    // Without the length, Node.js sends the body in chunks: several writes instead of one.
    response.writeHead(answer.status, { ...headers, 'content-length': Buffer.byteLength(answer.body) });
    response.end(answer.body);
    return answer.status;
  };
}

const headers = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

const tooLong = { status: 413, body: JSON.stringify({ error: 'The body is too long.' }) };

function readBody(request: IncomingMessage): Promise<Buffer | 'too long' | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > defaultLimits.requestBytes) resolve('too long');
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on('close', () => resolve(null));
  });
}

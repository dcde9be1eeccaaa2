import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorBody } from '@keyturn/contract';
import { endAfterResponses } from './close-responses.ts';

/**
 * Answers a request that Node.js cannot parse, or whose headers are too long or too slow, and closes its connection. After
 * requests that are being carried out, it only closes the connection: their answers come first.
 * No hook has run, so only the headers that matter for a response without a page are sent.
 */
export function answerParserError({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed || endAfterResponses(socket)) return;
  const [status, message] = answers[code ?? ''] ?? [400, 'The request is not valid HTTP.'];
  const body = JSON.stringify({ message, code: 'invalid_input' } satisfies ErrorBody);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ];
  if (socket.writable) socket.write(lines.join('\r\n'));
  socket.destroy();
}

const answers: Record<string, [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too long.'],
};

const headers = [
  'Connection: close',
  'Content-Type: application/json',
  'Cache-Control: no-store',
  "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy: same-origin',
  'Referrer-Policy: no-referrer',
  'Strict-Transport-Security: max-age=31536000; includeSubDomains',
  'X-Content-Type-Options: nosniff',
  'X-Frame-Options: DENY',
];

import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Answer } from './check-answer.ts';
import { type HttpParts, toHttpParts } from './raw-requests.ts';

/**
 * Sends a request over HTTP, on a separate connection.
 * @returns null if the connection ended without an answer
 */
export function exchange(server: string, parts: HttpParts): Promise<Answer | null> {
  const { method, url, headers, content } = toHttpParts(parts);
  const { hostname, port } = new URL(server);
  return new Promise((resolve) => {
    const sent = request({ hostname, port, method, path: url, agent: false, setHost: false });
    for (const [name, value] of headers) sent.setHeader(name, value);
    sent.setHeader('content-length', content.length);
    sent.once('response', (answer) => void readAnswer(answer).then(resolve, () => resolve(null)));
    sent.once('error', () => resolve(null));
    sent.end(content);
  });
}

async function readAnswer(answer: IncomingMessage): Promise<Answer> {
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
}

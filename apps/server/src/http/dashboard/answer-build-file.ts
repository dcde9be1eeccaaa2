import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodingOf } from './answer-page.ts';

/**
 * Finds a file of a build that another server serves, or has served in the last day.
 * @param path as browsers ask for it, such as `/desk/assets/start-x1.js`
 */
export type FindBuildFile = (path: string) => Promise<{
  content: Buffer;
  /** Whether the content is compressed with Brotli. */
  isCompressed: boolean;
} | null>;

/** Sends a file of another build, which browsers may cache for a year, or answers 404. */
export async function answerBuildFile(
  find: FindBuildFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const path = request.url.split('?')[0] ?? '';
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const file = isRead ? await find(path) : null;
  if (!file) return reply.code(404).type('text/plain; charset=utf-8').send('Not found\n');
  reply
    .type(mediaTypes[extname(path)] ?? 'application/octet-stream')
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('vary', 'accept-encoding');
  if (!file.isCompressed) return reply.send(file.content);
  const isAccepted = encodingOf(request.headers['accept-encoding']) === 'br';
  if (!isAccepted) return reply.send(await promisify(brotliDecompress)(file.content));
  return reply.header('content-encoding', 'br').send(file.content);
}

const mediaTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'application/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'application/javascript; charset=utf-8',
  '.pfb': 'application/x-font-type1',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

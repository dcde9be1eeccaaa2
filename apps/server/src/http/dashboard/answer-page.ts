import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasEtag } from '../answer-file.ts';

/** A page with its compressed versions, which are made once and reused until the content changes. */
export interface Page {
  etag: string;
  plain: Buffer;
  br: Buffer | null;
  gzip: Buffer | null;
}

/** Creates a page that will be sent often: compresses it once. */
export async function makePage(html: string): Promise<Page> {
  const plain = Buffer.from(html);
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(plain), promisify(gzip)(plain)]);
  return { etag: etagOf(plain), plain, br, gzip: gzipped };
}

/** Creates a page that is sent only once: not compressed. */
export function makePlainPage(html: string): Page {
  const plain = Buffer.from(html);
  return { etag: etagOf(plain), plain, br: null, gzip: null };
}

/** Weak, because all encodings share it. */
const etagOf = (plain: Buffer) =>
  `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;

/**
 * Sends a page with the reply's status, or 304 if the browser already has it. Browsers revalidate it on every visit.
 */
export function answerPage(page: Page, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // If other origins are allowed, the response also varies by origin.
  const vary = [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', ');
  reply.header('cache-control', 'no-cache').header('etag', page.etag).header('vary', vary);
  const isFound = reply.statusCode === 200;
  if (isFound && hasEtag(request.headers['if-none-match'], page.etag)) return reply.code(304).send();
  const encoding = encodingOf(request.headers['accept-encoding']);
  const encoded = encoding && page[encoding];
  if (encoded) reply.header('content-encoding', encoding);
  return reply.type('text/html; charset=utf-8').send(encoded ?? page.plain);
}

/** Returns the best encoding that a browser accepts; null for none. */
export function encodingOf(header: string | string[] | undefined): 'br' | 'gzip' | null {
  const accepted = String(header ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';')[0]?.trim());
  if (accepted.includes('br')) return 'br';
  return accepted.includes('gzip') ? 'gzip' : null;
}

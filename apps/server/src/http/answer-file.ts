import type { ServerResponse } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import { safeFileName } from '@keyturn/format/safe-file-name';
import contentDisposition from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import parseRange from 'range-parser';
import type { FileAnswer } from './call-handlers.ts';
import { whenClosed } from './close-responses.ts';

/**
 * Sends a file, or one range of it (RFC 9110, section 14), as an attachment with a content security policy that
 * allows nothing, so that no browser shows it as a page of ours. A file that is shown is sent completely, so that
 * opening it is one request. Streams the file, without reading all of it into memory, and reads nothing for HEAD, for a file
 * that the browser has, and for an invalid range. The ETag of a stored file is its SHA-256, with which an interrupted download can be continued.
 * @param patience milliseconds without progress after which the response is aborted
 */
export async function answerFile(
  file: FileAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
  patience: number,
): Promise<FastifyReply> {
  const { content, mediaType, fileName, isShown = false } = file;
  const isHead = request.method === 'HEAD';
  const etag = Buffer.isBuffer(content) || content instanceof Readable ? null : `"${content.sha256}"`;
  const isKnown = etag !== null && hasEtag(request.headers['if-none-match'], etag);
  const ranges = rangesOf(file, request, etag);
  // Before any header is set, because a damaged file gets another answer.
  if (
    !Buffer.isBuffer(content) &&
    !(content instanceof Readable) &&
    !isHead &&
    !isKnown &&
    ranges !== 'invalid'
  )
    await content.prepareToSend();
  reply
    .type(mediaType)
    .header('cache-control', 'private, no-store')
    .header(
      'content-disposition',
      contentDisposition(safeFileName(fileName), { type: isShown ? 'inline' : 'attachment' }),
    )
    .header('content-security-policy', isShown ? policyOfShown(mediaType) : "default-src 'none'; sandbox");
  if (content instanceof Readable) {
    if (!isHead) return answerStream(content, reply, patience);
    content.destroy();
    return reply.send(Readable.from([]));
  }
  if (etag) reply.header('etag', etag);
  if (isKnown) return reply.code(304).send();
  if (!isShown) reply.header('accept-ranges', 'bytes');
  const size = Buffer.isBuffer(content) ? content.length : content.size;
  if (ranges === 'invalid') {
    return reply.code(416).header('content-range', `bytes */${size}`).send(Buffer.alloc(0));
  }
  // Several ranges, or a unit other than bytes, get the whole file.
  const [range] = ranges === null || ranges.type !== 'bytes' || ranges.length !== 1 ? [] : ranges;
  if (range) {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  } else reply.code(200);
  const part = range ?? { start: 0, end: size - 1 };
  const onProgress = abortWhenStalled(reply.raw, patience);
  if (Buffer.isBuffer(content)) return reply.send(content.subarray(part.start, part.end + 1));
  const length = part.end - part.start + 1;
  reply.header('content-length', length);
  // Fastify reads the whole stream of an answer to HEAD.
  if (isHead) return reply.send(Readable.from([]));
  const counted = countBytes(length, onProgress);
  pipeline(content.open(part), counted, () => {});
  return reply.send(counted);
}

/** @returns null without a range that applies */
function rangesOf(
  { content, isShown = false }: FileAnswer,
  request: FastifyRequest,
  etag: string | null,
): parseRange.Ranges | 'invalid' | null {
  if (content instanceof Readable) return null;
  const { range: asked, 'if-range': condition } = request.headers;
  const mayBePart = !isShown && (condition === undefined || condition === etag);
  if (!asked || !mayBePart) return null;
  const ranges = parseRange(Buffer.isBuffer(content) ? content.length : content.size, asked);
  // The library returns -1 for ranges outside the file, and -2 for a malformed header, which is ignored.
  if (ranges === -1) return 'invalid';
  return ranges === -2 ? null : ranges;
}

/**
 * Browsers draw an image as a page with a style, and show no PDF in a sandbox. Neither may load or run anything else.
 */
const policyOfShown = (mediaType: string): string =>
  mediaType === 'application/pdf'
    ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"
    : "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/** Sends a file of unknown length while it is generated. An error during generation aborts the response. */
function answerStream(content: Readable, reply: FastifyReply, patience: number): FastifyReply {
  const onProgress = abortWhenStalled(reply.raw, patience);
  const watched = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      onProgress();
      done(null, chunk);
    },
  });
  pipeline(content, watched, () => {});
  return reply.code(200).send(watched);
}

/** @returns a function to call whenever the client has read a part of the response */
function abortWhenStalled(response: ServerResponse, patience: number): () => void {
  const timer = setTimeout(() => response.destroy(), patience).unref();
  void whenClosed(response).then(() => clearTimeout(timer));
  return () => timer.refresh();
}

/** Aborts the response if the file is shorter than announced: a truncated file must not look complete. */
function countBytes(length: number, onProgress: () => void): Transform {
  let bytes = 0;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      onProgress();
      done(null, chunk);
    },
    flush: (done) =>
      done(bytes === length ? null : new Error(`only ${bytes} of ${length} bytes could be read`)),
  });
}

/**
 * Tells whether a client that sent this `If-None-Match` header already has the content with this ETag. A proxy may have
 * made the ETag weak.
 */
export function hasEtag(header: string | undefined, etag: string): boolean {
  const known = header?.split(',').map((value) => value.trim()) ?? [];
  return known.includes('*') || known.some((value) => strong(value) === strong(etag));
}

const strong = (etag: string) => etag.replace(/^W\//, '');

import type { ServerResponse } from 'node:http';
import { finished, pipeline, Transform } from 'node:stream';
import contentDisposition from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import parseRange from 'range-parser';
import type { FileAnswer } from './call-handlers.ts';

/**
 * Sends a file so that no browser takes it for a page of ours: as an attachment, without sniffing, and behind a
 * policy of its own that allows nothing. A part of it where one part is asked for (RFC 9110, section 14). No more of it
 * is held than is on the way.
 * @param patience milliseconds after which an answer of which nothing is taken is broken off
 */
export function answerFile(
  file: FileAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
  patience: number,
): FastifyReply {
  const { content, mediaType, fileName } = file;
  const size = Buffer.isBuffer(content) ? content.length : content.size;
  reply
    .type(mediaType)
    .header('cache-control', 'private, no-store')
    .header('content-disposition', contentDisposition(fileName.replaceAll(/[\p{Cc}/\\]/gu, '_')))
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('accept-ranges', 'bytes');
  const ranges = request.headers.range ? parseRange(size, request.headers.range) : -2;
  if (ranges === -1) {
    return reply.code(416).header('content-range', `bytes */${size}`).send(Buffer.alloc(0));
  }
  // Several parts, or another unit than bytes, are answered with the whole.
  const [asked] = ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1 ? [] : ranges;
  if (asked) {
    reply.code(206).header('content-range', `bytes ${asked.start}-${asked.end}/${size}`);
  } else reply.code(200);
  const part = asked ?? { start: 0, end: size - 1 };
  const onMove = breakOffWhenStill(reply.raw, patience);
  if (Buffer.isBuffer(content)) return reply.send(content.subarray(part.start, part.end + 1));
  const length = part.end - part.start + 1;
  const passing = passOn(length, onMove);
  pipeline(content.open(part), passing, () => {});
  return reply.header('content-length', length).send(passing);
}

/** @returns what to call when something of the answer is taken */
function breakOffWhenStill(response: ServerResponse, patience: number): () => void {
  const timer = setTimeout(() => response.destroy(), patience).unref();
  finished(response, () => clearTimeout(timer));
  return () => timer.refresh();
}

/** A file that has become shorter since it was checked breaks the answer off: it must not look whole. */
function passOn(length: number, onMove: () => void): Transform {
  let passed = 0;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      passed += chunk.length;
      onMove();
      done(null, chunk);
    },
    flush: (done) => done(passed === length ? null : new Error(`${passed} of ${length} bytes could be read`)),
  });
}

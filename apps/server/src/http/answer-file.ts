import contentDisposition from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import parseRange from 'range-parser';
import type { FileAnswer } from './call-handlers.ts';

/**
 * Sends a file so that no browser takes it for a page of ours: as an attachment, without sniffing, and behind a
 * policy of its own that allows nothing. A part of it where one part is asked for (RFC 9110, section 14).
 */
export function answerFile(file: FileAnswer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { content, mediaType, fileName } = file;
  reply
    .type(mediaType)
    .header('cache-control', 'private, no-store')
    .header('content-disposition', contentDisposition(fileName.replaceAll(/[\p{Cc}/\\]/gu, '_')))
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('accept-ranges', 'bytes');
  const ranges = request.headers.range ? parseRange(content.length, request.headers.range) : -2;
  if (ranges === -1) {
    return reply.code(416).header('content-range', `bytes */${content.length}`).send(Buffer.alloc(0));
  }
  // Several parts, or another unit than bytes, are answered with the whole.
  const [part] = ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1 ? [] : ranges;
  if (!part) return reply.code(200).send(content);
  return reply
    .code(206)
    .header('content-range', `bytes ${part.start}-${part.end}/${content.length}`)
    .send(content.subarray(part.start, part.end + 1));
}

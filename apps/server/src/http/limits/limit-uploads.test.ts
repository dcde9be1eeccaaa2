import { Writable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test, vi } from 'vitest';
import { createUploadLimit } from './limit-uploads.ts';

/** A request with a file, which ends when the test says so. */
function openRequest() {
  const response = new Writable();
  return {
    request: { raw: { socket: { destroyed: false } } } as unknown as FastifyRequest,
    reply: { raw: response } as unknown as FastifyReply,
    end: () => response.end(),
  };
}

test('one caller cannot occupy all upload slots, and gets a slot again when a file is stored', async () => {
  const limit = createUploadLimit(3, 2);
  const enter = (caller?: string) => {
    const opened = openRequest();
    limit.enter(opened.request, opened.reply, caller);
    return opened;
  };
  const [first] = [enter('a'), enter('a')];
  expect(() => enter('a')).toThrow(expect.objectContaining({ code: 'too_many_requests' }));
  enter('b');
  expect(() => enter('b')).toThrow(expect.objectContaining({ code: 'unavailable' }));
  first?.end();
  await vi.waitFor(() => enter('a'));
});

test('unnamed callers share the upload slots', () => {
  const limit = createUploadLimit(2);
  const enter = () => {
    const { request, reply } = openRequest();
    limit.enter(request, reply);
  };
  enter();
  enter();
  expect(enter).toThrow(expect.objectContaining({ code: 'unavailable' }));
});

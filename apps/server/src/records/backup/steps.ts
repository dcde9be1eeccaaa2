import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import type { ListedDocument } from './document-list.ts';
import type { Bytes, Step } from './ports.ts';

/** Passes bytes through steps, one after another. */
export const through = (source: Bytes, steps: readonly Step[]): Bytes =>
  steps.reduce((bytes, step) => step(bytes), source);

export async function* bytesOf(text: string): Bytes {
  if (text !== '') yield Buffer.from(text);
}

// The callback is required, but the error also reaches the reader of the last stream.
export const compress: Step = (source) => pipeline(Readable.from(source), createGzip(), () => {});
export const decompress: Step = (source) => pipeline(Readable.from(source), createGunzip(), () => {});

/** Creates a step that computes the size and the SHA-256, in hex, of what passes through it. */
export function measureContent() {
  const hash = createHash('sha256');
  let bytes = 0;
  let sha256: string | undefined;
  return {
    step: async function* (source: Bytes) {
      for await (const chunk of source) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    /** Complete once everything has passed. */
    result: () => {
      sha256 ??= hash.digest('hex');
      return { bytes, sha256 };
    },
  };
}

/** Creates a step that fails at the end if what passed through it is not this document. */
export function verifyContent({ sha256, size }: ListedDocument): Step {
  const measured = measureContent();
  return async function* (source) {
    yield* measured.step(source);
    const found = measured.result();
    if (found.sha256 !== sha256 || found.bytes !== size)
      throw new Error(`its SHA-256 is ${found.sha256}, not ${sha256}`);
  };
}

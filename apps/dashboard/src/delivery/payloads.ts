import type { PublicConfig } from '@keyturn/contract';
import { type Check, isFlag, isNullOr, isRecordOf, isText } from '../api/client/check.ts';
import { isFirm } from '../api/client/entity-checks.ts';
import { fetchBuildFile } from './fetch-build-file.ts';

/** What a prerendered screen says of the firm, as it is now and not as it was when the tab was opened. */
export type PayloadData = Pick<PublicConfig, 'product_name' | 'firm' | 'demonstration'>;

export interface Payloads {
  /** Asks for each path, and not again within a minute; what could not be read is told, and asked for the next time. */
  read(path: string): Promise<PayloadData | null>;
}

/** The payloads of the prerendered paths of one build. */
export function createPayloads(build: string, fetch = globalThis.fetch): Payloads {
  const known = new Map<string, { at: number; asked: Promise<PayloadData | null> }>();
  return {
    read: (path) => {
      const before = known.get(path);
      // One that was read in advance is for the step that follows, and not for that of tomorrow.
      const age = Date.now() - (before?.at ?? 0);
      if (before && age >= 0 && age < freshFor) return before.asked;
      const asked = readPayload(path, build, fetch).catch((error: unknown) => {
        known.delete(path);
        console.warn(
          `The payload of ${path} could not be read.`,
          error instanceof Error ? error.message : error,
        );
        return null;
      });
      known.set(path, { at: Date.now(), asked });
      return asked;
    },
  };
}

/** Milliseconds. */
const freshFor = 60_000;

/** @throws Error for an address of another host: a payload is only ever this origin's */
export function payloadUrl(path: string, build: string): string {
  const { host, pathname } = new URL(path, 'http://localhost');
  if (host !== 'localhost' || pathname.startsWith('//')) {
    throw new Error(`Payload URL must not include hostname: ${path}`);
  }
  return `${pathname.replace(/\/$/, '')}/_payload.json?${build}`;
}

async function readPayload(
  path: string,
  build: string,
  fetch: typeof globalThis.fetch,
): Promise<PayloadData> {
  const url = payloadUrl(path, build);
  const found = await fetchBuildFile(url, isPayload, { maxBytes: 20_000, cache: 'no-cache', fetch });
  if (found.build !== build) throw new Error('it is of another build');
  return found.data;
}

const isPayload: Check<{ build: string; data: PayloadData }> = isRecordOf({
  build: isText,
  data: isRecordOf<PayloadData>({ product_name: isText, firm: isNullOr(isFirm), demonstration: isFlag }),
});

import { type Check, isBoolean, isNullOr, isObjectOf, isString } from '@keyturn/browser/checks/check.ts';
import type { PublicConfig } from '@keyturn/contract';
import { isFirm } from '../api/checks/entity-checks.ts';
import { fetchBuildFile } from './fetch-build-file.ts';

/** The public configuration that a prerendered screen shows, current even when the tab has been open for long. */
export type PayloadData = Pick<PublicConfig, 'product_name' | 'firm' | 'demonstration'>;

export interface Payloads {
  /**
   * Reads the payload of a path, at most once a minute. A failure is logged, and the next call tries again.
   * @returns null when the payload could not be read
   */
  read(path: string): Promise<PayloadData | null>;
}

/** Reads and caches the `_payload.json` files of the prerendered paths of one build. */
export function createPayloads(buildId: string, fetch = globalThis.fetch): Payloads {
  const cache = new Map<string, { at: number; payload: Promise<PayloadData | null> }>();
  return {
    read: (path) => {
      const cached = cache.get(path);
      // A prefetched payload serves the next navigation, not one the day after.
      const age = Date.now() - (cached?.at ?? 0);
      if (cached && age >= 0 && age < maxAgeMs) return cached.payload;
      const payload = readPayload(path, buildId, fetch).catch((error: unknown) => {
        cache.delete(path);
        console.warn(
          `Could not read the payload of ${path}:`,
          error instanceof Error ? error.message : error,
        );
        return null;
      });
      cache.set(path, { at: Date.now(), payload });
      return payload;
    },
  };
}

const maxAgeMs = 60_000;

/**
 * Returns the address of a path's payload in a build.
 * @throws Error when the path names another host: payloads only ever come from this origin
 */
export function payloadUrl(path: string, buildId: string): string {
  const { host, pathname } = new URL(path, 'http://localhost');
  if (host !== 'localhost' || pathname.startsWith('//')) {
    throw new Error(`Payload URL must not include hostname: ${path}`);
  }
  return `${pathname.replace(/\/$/, '')}/_payload.json?${buildId}`;
}

async function readPayload(
  path: string,
  buildId: string,
  fetch: typeof globalThis.fetch,
): Promise<PayloadData> {
  const url = payloadUrl(path, buildId);
  const payload = await fetchBuildFile(url, isPayload, { maxBytes: 20_000, cache: 'no-cache', fetch });
  if (payload.build !== buildId) throw new Error(`belongs to build ${payload.build}, expected ${buildId}`);
  return payload.data;
}

const isPayload: Check<{ build: string; data: PayloadData }> = isObjectOf({
  build: isString,
  data: isObjectOf<PayloadData>({ product_name: isString, firm: isNullOr(isFirm), demonstration: isBoolean }),
});

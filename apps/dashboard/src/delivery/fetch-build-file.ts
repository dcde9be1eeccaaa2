import type { Check } from '../api/client/check.ts';

/**
 * A small JSON file of a build. Nothing of the API: no token goes with it.
 * @param most bytes
 * @param timeoutMs milliseconds; ten seconds unless told
 * @throws Error for anything that is not such a file, timeoutMs that time
 */
export async function fetchBuildFile<T>(
  path: string,
  isFile: Check<T>,
  { maxBytes, cache, timeoutMs = 10_000, fetch = globalThis.fetch }: FetchBuildFileOptions,
): Promise<T> {
  const response = await fetch(path, {
    cache,
    redirect: 'error',
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const type = response.headers.get('Content-Type') ?? '';
  if (!/^application\/json\b/.test(type)) throw new Error(`it is ${type || 'of no type'}`);
  const file: unknown = JSON.parse(await readText(response, maxBytes));
  if (!isFile(file)) throw new Error('it is of another shape');
  return file;
}

export interface FetchBuildFileOptions {
  maxBytes: number;
  cache: RequestCache;
  timeoutMs?: number;
  fetch?: typeof globalThis.fetch;
}

async function readText({ body }: Response, most: number): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let size = 0; ; ) {
    const part = await reader?.read();
    if (!part || part.done) return text;
    size += part.value.length;
    if (size > most) {
      void reader?.cancel();
      throw new Error(`it is longer than ${most} bytes`);
    }
    text += decoder.decode(part.value, { stream: true });
  }
}

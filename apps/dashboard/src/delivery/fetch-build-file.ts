import type { Check } from '@keyturn/browser/checks/check.ts';

/**
 * Fetches a small JSON file of a build, without credentials.
 * @param isFile checks the shape of the parsed file
 * @throws Error when the request fails or times out, or when the response is not a valid file of at most `maxBytes`
 */
export async function fetchBuildFile<T>(
  path: string,
  isFile: Check<T>,
  { maxBytes, cache, timeoutMs = defaultTimeoutMs, fetch = globalThis.fetch }: FetchBuildFileOptions,
): Promise<T> {
  const response = await fetch(path, {
    cache,
    redirect: 'error',
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const type = response.headers.get('Content-Type') ?? '';
  if (!/^application\/json\b/.test(type))
    throw new Error(`content type ${type || 'missing'}, expected application/json`);
  const file: unknown = JSON.parse(await readText(response, maxBytes));
  if (!isFile(file)) throw new Error('unexpected JSON shape');
  return file;
}

export interface FetchBuildFileOptions {
  maxBytes: number;
  cache: RequestCache;
  /** 10 seconds by default. */
  timeoutMs?: number;
  fetch?: typeof globalThis.fetch;
}

const defaultTimeoutMs = 10_000;

async function readText({ body }: Response, maxBytes: number): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let size = 0; ; ) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) return text;
    size += chunk.value.length;
    if (size > maxBytes) {
      void reader?.cancel();
      throw new Error(`longer than ${maxBytes} bytes`);
    }
    text += decoder.decode(chunk.value, { stream: true });
  }
}

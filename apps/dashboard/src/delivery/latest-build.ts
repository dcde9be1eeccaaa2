import { type Build, isBuild } from './build-manifest.ts';
import { fetchBuildFile } from './fetch-build-file.ts';

/**
 * Fetches the build that the server delivers at present.
 * @throws Error when it cannot be read in time
 */
export const fetchLatestBuild = (timeoutMs = 10_000): Promise<Build> =>
  fetchBuildFile(latestBuildUrl(), isBuild, { maxBytes: 2_000, cache: 'no-store', timeoutMs });

/** @returns null when the server answers: even a 404 shows that it can be reached; a 5xx may only be starting up */
export async function checkReachability(navigator: Navigator): Promise<'offline' | 'unreachable' | null> {
  if (navigator.onLine === false) return 'offline';
  const request = fetch(latestBuildUrl(), {
    method: 'HEAD',
    cache: 'no-store',
    signal: AbortSignal.timeout(5_000),
  });
  return request.then(
    ({ status }) => (status < 500 ? null : 'unreachable'),
    () => 'unreachable',
  );
}

const latestBuildUrl = () => `/builds/latest.json?${Date.now()}`;

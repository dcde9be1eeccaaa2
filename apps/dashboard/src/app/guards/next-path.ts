import { withQuery } from '../../navigation/paths.ts';

/**
 * Returns where to go after signing in: the requested path with its query and fragment, or `/` when that is not a path of
 * this app. Never returns another origin or the sign-in page.
 */
export function nextPath(requested: unknown): string {
  // Browsers read "//" and "/\" as the start of a host name, and ignore tabs and line ends.
  if (typeof requested !== 'string' || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(requested)) return '/';
  try {
    const url = new URL(requested, 'https://app.invalid');
    if (url.origin !== 'https://app.invalid' || url.pathname.startsWith('//')) return '/';
    if (/^\/login(\/|$)/i.test(decodeURIComponent(url.pathname))) return '/';
    return url.pathname + url.search + url.hash;
  } catch {
    return '/';
  }
}

/** Returns the address of sign-in, which leads back to where the client was going. */
export function signInPath(requested: string): string {
  const next = nextPath(requested);
  return withQuery('/login', next === '/' ? {} : { next });
}

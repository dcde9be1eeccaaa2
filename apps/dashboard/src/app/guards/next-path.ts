/**
 * Where to go after signing in: a path of this app with its query, and `/` for anything else. Never another origin,
 * never back to sign-in.
 */
export function nextPath(wanted: unknown): string {
  // A browser reads "//" and "/\" as another host, and drops tabs and line ends before it looks.
  if (typeof wanted !== 'string' || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(wanted)) return '/';
  try {
    const url = new URL(wanted, 'https://app.invalid');
    if (url.origin !== 'https://app.invalid' || url.pathname.startsWith('//')) return '/';
    if (/^\/login(\/|$)/i.test(decodeURIComponent(url.pathname))) return '/';
    return url.pathname + url.search + url.hash;
  } catch {
    return '/';
  }
}

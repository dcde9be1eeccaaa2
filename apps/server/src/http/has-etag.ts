/**
 * Tells whether a client that sent this `If-None-Match` header already has the content with this ETag. A proxy may have
 * made the ETag weak.
 */
export function hasEtag(header: string | undefined, etag: string): boolean {
  const known = header?.split(',').map((value) => value.trim()) ?? [];
  return known.includes('*') || known.some((value) => strong(value) === strong(etag));
}

const strong = (etag: string) => etag.replace(/^W\//, '');

/**
 * Names the release that errors are reported for: `keyturn@1.2.3+0a1b2c3d4e5f6071`.
 * @param version from the page's configuration: `keyturn@1.2.3`
 * @param build the text of the page's `<script id="keyturn-build">`, which the development server does not write
 */
export function releaseName(version: string, build: string | null | undefined): string {
  const id = buildIdIn(build ?? '');
  return id === null ? version : `${version}+${id}`;
}

function buildIdIn(build: string): string | null {
  try {
    const { id } = JSON.parse(build);
    return typeof id === 'string' && /^[\w-]+$/.test(id) ? id : null;
  } catch {
    return null;
  }
}

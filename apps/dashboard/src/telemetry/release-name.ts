/**
 * Which build it is that fails: `keyturn@1.2.3+0a1b2c3d4e5f6071`.
 * @param version as the configuration has it: `keyturn@1.2.3`
 * @param build the text of the page's `<script id="keyturn-build">`; a page that was not built has none
 */
export function releaseName(version: string, build: string | null | undefined): string {
  const id = idIn(build ?? '');
  return id === null ? version : `${version}+${id}`;
}

function idIn(build: string): string | null {
  try {
    const { id } = JSON.parse(build);
    return typeof id === 'string' && /^[\w-]+$/.test(id) ? id : null;
  } catch {
    return null;
  }
}

import { join } from 'node:path';
import { root } from '../../scripts/set-up.mjs';

/**
 * Builds the empty page as the dashboard is built, for a server to send in its place.
 * @param {string} outDir
 */
export async function buildEmptyPage(outDir) {
  const { build, runnerImport } = await import('vite');
  const { default: react } = await import('@vitejs/plugin-react');
  const { compressFiles } = (
    await runnerImport(join(root, 'apps/dashboard/build/compress-files.ts'), { root, logLevel: 'warn' })
  ).module;
  // React's production build, as ours is made with; loading other files may have set another.
  process.env.NODE_ENV = 'production';
  await build({
    root: join(root, 'bench/empty-page'),
    configFile: false,
    logLevel: 'error',
    plugins: [react(), compressFiles({ cache: join(root, 'node_modules/.cache/keyturn-compressed') })],
    build: { outDir, emptyOutDir: true, modulePreload: { polyfill: false } },
  });
}

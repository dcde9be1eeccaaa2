import { join } from 'node:path';
import { root } from '../../scripts/set-up.mjs';

/**
 * Builds the empty page in the same way as the dashboard, for a server to send instead of the dashboard.
 * @param {string} outDir
 */
export async function buildEmptyPage(outDir) {
  const { build, runnerImport } = await import('vite');
  const { default: react } = await import('@vitejs/plugin-react');
  const { compressFiles } = (
    await runnerImport(join(root, 'packages/browser/build/compress-files.ts'), { root, logLevel: 'warn' })
  ).module;
  // Selects React's production build, as for the dashboard; loading other files may have set another environment.
  process.env.NODE_ENV = 'production';
  await build({
    root: join(root, 'bench/empty-page'),
    configFile: false,
    logLevel: 'error',
    plugins: [react(), compressFiles({ cache: join(root, 'node_modules/.cache/keyturn-compressed') })],
    build: { outDir, emptyOutDir: true, modulePreload: { polyfill: false } },
  });
}

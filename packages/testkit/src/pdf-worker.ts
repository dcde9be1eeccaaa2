import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll } from 'vitest';

/** Builds the server's PDF worker from the sources for the tests of a file. `script` is set before the first test. */
export function withPdfWorker(): { script: URL } {
  const built = {} as { script: URL };
  const root = fileURLToPath(new URL('../../../apps/server', import.meta.url));
  // Inside the workspace, so that the worker finds its packages.
  const folder = join(root, 'node_modules', `.pdf-worker-${process.pid}-${Date.now()}`);
  beforeAll(async () => {
    await build({
      configFile: false,
      root,
      logLevel: 'silent',
      ssr: { noExternal: [/^@keyturn\//] },
      build: {
        ssr: true,
        target: 'node20',
        outDir: folder,
        minify: false,
        rollupOptions: { input: { 'pdf-worker': join(root, 'src/adapters/pdf/pdf-worker.ts') } },
      },
    });
    built.script = pathToFileURL(join(folder, 'pdf-worker.js'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return built;
}

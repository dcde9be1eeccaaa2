import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, defaultServerConditions } from 'vite';
import { projectDirectory } from '../harness/start-product.ts';

/**
 * Builds one source file into a program, as the product is built, without bundling npm packages.
 * @param source path within the project
 * @returns the program's path within `node_modules`, and a function that removes it
 */
export async function buildProgram(source: string): Promise<{ program: string; remove(): void }> {
  const folder = mkdtempSync(join(projectDirectory, 'node_modules', '.keyturn-program-'));
  await build({
    configFile: false,
    root: projectDirectory,
    logLevel: 'error',
    ssr: { noExternal: [/^@keyturn\//], resolve: { conditions: ['source', ...defaultServerConditions] } },
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder,
      minify: false,
      rollupOptions: {
        input: join(projectDirectory, source),
        output: { entryFileNames: 'program.mjs' },
      },
    },
  });
  return {
    program: join(folder, 'program.mjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { projectDirectory } from '../harness/start-product.ts';

/**
 * Makes a program of one of our sources, as the product itself is built. Npm's packages stay outside.
 * @param source within the project
 * @returns the program, within `node_modules`, and how to remove it
 */
export async function buildProgram(source: string): Promise<{ program: string; remove(): void }> {
  const folder = join(projectDirectory, 'node_modules', `.keyturn-program-${process.pid}-${Date.now()}`);
  await build({
    configFile: false,
    root: projectDirectory,
    logLevel: 'error',
    ssr: { noExternal: [/^@keyturn\//] },
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

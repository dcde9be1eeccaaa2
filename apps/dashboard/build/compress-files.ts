import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/**
 * Brotli and gzip at their best beside every file that gets smaller by it, for the server to send as they are. What was
 * compressed once is kept in `cache`, so that a second build has little to do.
 */
export function compressFiles({ cache }: { cache: string }): Plugin {
  let outDir = '';
  return {
    name: 'compress-files',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        await mkdir(cache, { recursive: true });
        const names = await readdir(outDir, { recursive: true });
        const files = names.filter((name) => compressible.test(name) && !notSent.test(name));
        // As many at once as Node has threads for.
        const next = files[Symbol.iterator]();
        const work = async () => {
          for (const file of next) await compressOne(join(outDir, file), cache);
        };
        await Promise.all(Array.from({ length: 4 }, work));
      },
    },
  };
}

/** Sent with something put into them, or not at all. */
const notSent = /^\.vite|(^|[\\/])index\.html$|latest\.json$/;

const compressible = /\.(js|mjs|css|svg|json|html|txt|bcmap|pfb|ttf|wasm)$/;

async function compressOne(file: string, cache: string): Promise<void> {
  const content = await readFile(file);
  const hash = createHash('sha256').update(content).digest('hex');
  for (const { ending, compress } of encodings) {
    const kept = join(cache, `${hash}${ending}`);
    const compressed =
      (await readFile(kept).catch(() => null)) ?? (await keep(kept, await compress(content)));
    if (compressed.length < content.length * 0.95) await copyFile(kept, `${file}${ending}`);
  }
}

/** Whole or not at all: two builds may run at once. */
async function keep(file: string, content: Buffer): Promise<Buffer> {
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, content);
  await rename(unfinished, file);
  return content;
}

const encodings = [
  {
    ending: '.br',
    compress: (content: Buffer) =>
      promisify(brotliCompress)(content, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        },
      }),
  },
  {
    ending: '.gz',
    compress: (content: Buffer) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  },
];

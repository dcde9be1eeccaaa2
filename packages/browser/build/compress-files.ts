import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/**
 * Writes a Brotli and a gzip file next to every file that compression makes smaller, for the server to send. Results are
 * cached in the folder `cache`.
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
        // Node compresses in four threads by default.
        const next = files[Symbol.iterator]();
        const work = async () => {
          for (const file of next) await compressOne(join(outDir, file), cache);
        };
        await Promise.all(Array.from({ length: 4 }, work));
      },
    },
  };
}

/** Files that the server fills in before it sends them, or never sends. */
const notSent = /^\.vite|(^|[\\/])index\.html$|latest\.json$/;

/** Fonts and character maps for PDFs without their own. The last 7 % would take a third of all compression's time. */
const fontFile = /\.(bcmap|pfb|ttf)$/;

const compressible = /\.(js|mjs|css|svg|json|html|txt|bcmap|pfb|ttf|wasm)$/;

async function compressOne(file: string, cache: string): Promise<void> {
  const content = await readFile(file);
  const hash = createHash('sha256').update(content).digest('hex');
  const quality = fontFile.test(file) ? 9 : constants.BROTLI_MAX_QUALITY;
  for (const { ending, compress } of encodings) {
    const cached = join(cache, `${hash}${ending}`);
    const compressed =
      (await readFile(cached).catch(() => null)) ??
      (await writeToCache(cached, await compress(content, quality)));
    if (compressed.length < content.length * 0.95) await copyFile(cached, `${file}${ending}`);
  }
}

/** Writes atomically, because two builds can run at the same time. */
async function writeToCache(file: string, content: Buffer): Promise<Buffer> {
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, content);
  await rename(unfinished, file);
  return content;
}

const encodings = [
  {
    ending: '.br',
    compress: (content: Buffer, quality: number) =>
      promisify(brotliCompress)(content, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: quality,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        },
      }),
  },
  {
    ending: '.gz',
    compress: (content: Buffer) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  },
];

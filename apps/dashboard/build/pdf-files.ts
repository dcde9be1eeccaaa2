import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Serves the files that pdf.js loads by name when a document needs them: standard fonts, character maps and the
 * JavaScript decoder of JPEG 2000. Their folder is named after the version of pdf.js, so that browsers can cache them
 * for ever.
 */
export function pdfFiles(): Plugin {
  const package_ = createRequire(import.meta.url).resolve('pdfjs-dist/package.json');
  const { version } = JSON.parse(readFileSync(package_, 'utf8'));
  const folder = `assets/pdfjs-${version}`;
  const filesOf = (part: string) =>
    readdirSync(join(dirname(package_), part))
      .filter((file) => /\.(bcmap|pfb|ttf)$|^openjpeg_nowasm|^LICENSE/.test(file))
      .map((file) => `${part}/${file}`);
  const read = (file: string) => readFileSync(join(dirname(package_), file));
  return {
    name: 'pdf-files',
    generateBundle() {
      for (const file of ['cmaps', 'standard_fonts', 'wasm'].flatMap(filesOf)) {
        this.emitFile({ type: 'asset', fileName: `${folder}/${file}`, source: read(file) });
      }
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${folder}`, (request, response, next) => {
        const file = (request.url ?? '').slice(1);
        const isOurs = filesOf(file.split('/')[0] === 'cmaps' ? 'cmaps' : 'standard_fonts').includes(file);
        if (isOurs) response.end(read(file));
        else next();
      });
    },
  };
}

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compressFiles } from './build/compress-files.ts';
import { describeBuild } from './build/describe-build.ts';
import { prerenderedPaths, prerenderPages } from './build/prerender-pages.ts';

/**
 * By every screen; with base.css at its head, which sets the order of the layers before any other styles. The router's
 * hook that holds a navigation back is for one screen alone.
 */
const neededAtOnce =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(history|router-core|react-router|store|react-store))\/(?!.*\/useBlocker)|\/src\/ui\/base\//;

/** By the first screen of who is not signed in, with what every screen needs of the app itself. */
const neededToSignIn =
  /\/src\/(app\/(after-load|start-dashboard|dashboard|show-dashboard|router|route-table|error-page|error-words|caught-error|lazy-screen|pending-page|root-layout|start-delivery|start-telemetry|follow-maintenance|follow-sign-in|guards\/[\w-]+|layouts\/authentication-layout)\b|api\/(client\/(?!answer-checks|case-checks)|session\/(?!sign-out)|services\/(?!delivery|reports|trusted-types))|features\/sign-in\/(fields|sign-in-screen)\/|ui\/journey\/route-sketch)/;

/** By the screens of who is signed in: small parts of which most screens want most. */
const neededSignedIn =
  /\/src\/ui\/(content|format|states|overlays\/dialog)\b|\/packages\/format\/src\/(?!firm-name)/;

/** And what they read of the case. */
const neededOfCase =
  /node_modules\/@tanstack\/(query-core|react-query)\/|\/src\/(api\/(client\/case-checks|case|queries\/(queries|use-live))\b|features\/(case\/header|history\/new-entries)\/)/;

export default defineConfig({
  base: '/',
  resolve: {
    alias: {
      // React has had this hook itself since version 18: the stand-in for older ones is not needed.
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
    },
  },
  plugins: [
    react(),
    preloadFonts(),
    paintBeforeScripts(),
    pdfFiles(),
    prerenderPages(),
    describeBuild({ prerendered: () => prerenderedPaths }),
    compressFiles({
      cache: fileURLToPath(new URL('../../node_modules/.cache/keyturn-compressed', import.meta.url)),
    }),
  ],
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    // The bench and the server's delivery read which chunk stands for which screen.
    manifest: true,
    cssCodeSplit: true,
    // Files stay files: the policy allows no font or script inside a page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Together they are smaller than in pieces.
          groups: [
            { name: 'start', test: neededAtOnce },
            { name: 'sign-in', test: neededToSignIn },
            { name: 'signed-in', test: neededSignedIn },
            { name: 'case', test: neededOfCase },
          ],
        },
      },
    },
    sourcemap: false,
    // The data grid: loaded by its own view alone.
    chunkSizeWarningLimit: 1_500,
  },
});

/** The two latin fonts are asked for with the page itself, not only once the styles have arrived. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_page, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => /(newsreader-latin-500|figtree-latin-wght)-normal[^/]*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
            injectTo: 'head' as const,
          })),
    },
  };
}

/** A page that comes ready to be read is painted first: what styles it goes before what moves it. */
function paintBeforeScripts(): Plugin {
  return {
    name: 'paint-before-scripts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (page) =>
        page.replaceAll(/<(link rel="modulepreload"|script type="module")/g, '<$1 fetchpriority="low"'),
    },
  };
}

/**
 * What pdf.js reads by name when a document needs it: the standard fonts, the character maps, and the decoder of
 * JPEG 2000 that is plain JavaScript. They stand in a folder of pdf.js's version, so that each may be kept for ever.
 */
function pdfFiles(): Plugin {
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

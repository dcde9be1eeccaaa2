import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compileChecks } from '../../packages/browser/build/compile-checks.ts';
import { compressFiles } from '../../packages/browser/build/compress-files.ts';
import { deprioritiseScripts, preloadFonts } from '../../packages/browser/build/order-page-resources.ts';
import { dashboardChecks } from './build/dashboard-checks.ts';
import { describeBuild } from './build/describe-build.ts';
import { pdfFiles } from './build/pdf-files.ts';
import { prerenderedPaths, prerenderPages } from './build/prerender-pages.ts';

export default defineConfig({
  base: '/',
  resolve: {
    alias: {
      // React has this hook since version 18: the shim for older versions is not needed.
      'use-sync-external-store/shim/index.js': 'react',
    },
  },
  plugins: [
    react(),
    compileChecks(dashboardChecks),
    preloadFonts(),
    deprioritiseScripts(),
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
    // The benchmark and the server find the chunks of each screen in it.
    manifest: true,
    cssCodeSplit: true,
    // The content security policy allows no inline fonts or scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Each chunk also gets whatever its folders import, unless an earlier chunk has it.
          groups: [
            // base.css comes first in it and sets the order of the cascade layers.
            { name: 'start', tags: ['$initial'], test: pathsWith('node_modules', 'packages/ui/src/base') },
            {
              name: 'sign-in',
              test: pathsWith(
                'src/app/startup',
                'src/app/layouts/authentication',
                'src/features/sign-in/sign-in-screen',
              ),
            },
            {
              name: 'signed-in',
              test: pathsWith(
                ...['packages/ui/src/content', 'packages/ui/src/overlays', 'packages/ui/src/states'],
                ...[
                  'packages/ui/src/hooks/use-today.ts',
                  'packages/format/src/dates.ts',
                  'packages/format/src/money.ts',
                ],
                ...['src/ui/content', 'src/ui/format', 'src/ui/overlays', 'src/ui/states'],
              ),
            },
            {
              name: 'case',
              test: pathsWith(
                'packages/format/src/matter-names.ts',
                'packages/format/src/property-names.ts',
                'src/api/case',
                'src/api/queries',
                'src/app/layouts',
                'src/features/case/header',
                'src/features/history/new-entries',
                // The home page shares these with other screens. Each would be a chunk of a few hundred bytes.
                'src/api/payments/pay-otherwise.ts',
                'src/api/payments/payment-methods.ts',
                'src/api/payments/started-payment.ts',
                'src/api/payments/use-card-purposes.ts',
                'src/ui/journey/fact-list.tsx',
                'src/ui/journey/overdue-note.tsx',
                'packages/contract/src/signing.ts',
              ),
            },
          ],
        },
      },
    },
    sourcemap: false,
    // Only the view that needs the data grid loads it.
    chunkSizeWarningLimit: 1_500,
  },
});

/** Matches the modules of these files and folders. */
function pathsWith(...paths: string[]): RegExp {
  return new RegExp(`/(${paths.join('|').replaceAll('.', '\\.')})(/|$)`);
}

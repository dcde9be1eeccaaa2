import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compileChecks } from '../../packages/browser/build/compile-checks.ts';
import { compressFiles } from '../../packages/browser/build/compress-files.ts';
import { preloadFonts } from '../../packages/browser/build/order-page-resources.ts';
import { dashboardChecks } from '../dashboard/build/dashboard-checks.ts';

export default defineConfig({
  base: '/desk/',
  resolve: {
    alias: [
      // React has this hook since version 18: the shim for older versions is not needed.
      { find: 'use-sync-external-store/shim/index.js', replacement: 'react' },
      // The preview leaves out the data grid of the history.
      {
        find: './table/history-table-loader.tsx',
        replacement: fileURLToPath(
          new URL('./src/features/case/preview/history-table-loader.tsx', import.meta.url),
        ),
      },
    ],
  },
  plugins: [
    react(),
    compileChecks({ folder: 'src/api/checks', modules: ['staff-checks'] }),
    // For the dashboard’s screens in the preview.
    compileChecks({ ...dashboardChecks, folder: '../dashboard/src/api/checks' }),
    preloadFonts(),
    compressFiles({
      cache: fileURLToPath(new URL('../../node_modules/.cache/keyturn-compressed', import.meta.url)),
    }),
  ],
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    // The benchmark finds the chunks of the first view in it.
    manifest: true,
    cssCodeSplit: true,
    // The content security policy allows no inline fonts or scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The preview of a case is a separate page, in a frame.
      input: ['index.html', 'preview.html'],
      // The checks are compiled by running the contract, which takes most of the build.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          // base.css comes first in it and sets the order of the cascade layers.
          groups: [
            { name: 'start', tags: ['$initial'], test: /\/node_modules\/|\/packages\/ui\/src\/base\// },
          ],
        },
      },
    },
    sourcemap: false,
  },
});

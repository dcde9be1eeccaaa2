import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const neededAtOnce =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(history|router-core|react-router|store|react-store))\/|\/src\/ui\/(alert|brand|button|class-names|field|page-heading)\b/;

export default defineConfig({
  base: '/',
  resolve: {
    alias: {
      // React has had this hook itself since version 18: the stand-in for older ones is not needed.
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
    },
  },
  plugins: [react(), preloadFonts()],
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
          // What every screen needs at once: together it is smaller than in pieces.
          groups: [{ name: 'start', test: neededAtOnce }],
        },
      },
    },
    sourcemap: false,
  },
  server: {
    proxy: {
      // For work on the dashboard beside a running server.
      '/api': 'http://127.0.0.1:4720',
    },
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

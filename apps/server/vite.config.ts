import { defaultServerConditions, defineConfig } from 'vite';

export default defineConfig({
  // One bundle instead of 2,000 files halves the time that the server and each command need to start. Packages with
  // native code, and those that read their own data files, are not bundled.
  ssr: {
    noExternal: true,
    // The job queue imports TypeScript (9 MB) to read settings from files, which Keyturn does not use.
    external: ['@node-rs/argon2', 'pdfkit', 'fontkit', 'pg-native', 'typescript'],
    resolve: { conditions: ['source', ...defaultServerConditions] },
  },
  // `node-fetch` prefers Node's own URL and never uses this package, whose `punycode` makes newer versions of Node print
  // a deprecation warning at each start.
  resolve: { alias: { 'whatwg-url': 'node:url' } },
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    rollupOptions: {
      input: {
        main: 'src/main.ts',
        cli: 'src/cli.ts',
        'pdf-worker': 'src/adapters/pdf/pdf-worker.ts',
        'weakness-worker': 'src/people/credentials/weakness-worker.ts',
      },
    },
  },
});

import { defineConfig } from 'vite';

export default defineConfig({
  // The workspace's packages are TypeScript sources; everything from npm stays outside the bundle.
  ssr: { noExternal: [/^@keyturn\//] },
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
        'signature-worker': 'src/adapters/pdf/signature-worker.ts',
      },
    },
  },
});

// @ts-check
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { createServerProcess } from './dev/server-process.mjs';
import { install, isAlive, requireNode, root } from './set-up.mjs';

/*
 * `npm run dev`: the dashboard and the desk with hot module replacement at one address, and the server behind it, rebuilt
 * and restarted after each change. It has its own data directory, `.keyturn-dev`. All settings of the server apply;
 * PORT is the port of both. `/gallery` shows the components of packages/ui.
 */

requireNode();
install();
const vite = await import('vite');

const host = process.env.HOST ?? '127.0.0.1';
const port = Number(process.env.PORT || 4721);
/** Passkeys do not work on an IP address. */
const ownUrl = `http://${['127.0.0.1', '0.0.0.0'].includes(host) ? 'localhost' : host}:${port}`;
const serverPort = await findFreePort();
const serverUrl = `http://127.0.0.1:${serverPort}`;
const deskPort = await findFreePort();
// At the same depth as `dist`, because the server locates the project relative to its own file.
const serverFolder = join(root, `apps/server/.dev-${process.pid}`);
const pageFolder = join(serverFolder, 'dashboard');

/** The paths of the server, as a regular expression. */
const serverPaths = '^/(api|broadcasting|apps|healthz|readyz)(/|$|\\?)';

let isStopping = false;
/** @type {import('vite').ViteDevServer | undefined} */
let dashboard;
/** @type {import('vite').ViteDevServer | undefined} */
let desk;
/** @type {{ close(): Promise<void> } | undefined} */
let watcher;
const server = createServerProcess({
  folder: serverFolder,
  env: {
    KEYTURN_DATA_DIR: '.keyturn-dev',
    KEYTURN_PUBLIC_URL: ownUrl,
    KEYTURN_STOP_SECONDS: '1',
    ...process.env,
    KEYTURN_DASHBOARD_DIR: pageFolder,
    KEYTURN_DESK_DIR: pageFolder,
    HOST: '127.0.0.1',
    PORT: String(serverPort),
  },
  replaceAddresses: (line) =>
    line.replaceAll(new RegExp(`http://(127\\.0\\.0\\.1|localhost):${serverPort}`, 'g'), ownUrl),
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop());

try {
  desk = await startDesk();
  dashboard = await startDashboard();
  watcher = await watchServer();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
  await stop();
}

/** Serves the sources of the dashboard, and forwards the desk’s paths to its server and the API’s to Keyturn’s. */
async function startDashboard() {
  const started = await vite.createServer({
    root: join(root, 'apps/dashboard'),
    server: {
      host,
      port,
      strictPort: true,
      proxy: {
        [serverPaths]: { target: serverUrl, xfwd: true, configure: acceptOtherHostName },
        '^/app/': { target: serverUrl, xfwd: true, ws: true },
        '^/desk(/|$|\\?)': {
          target: `http://127.0.0.1:${deskPort}`,
          ws: true,
          rewrite: (path) => path.replace(/^\/desk(?!\/)/, '/desk/'),
        },
      },
    },
    clearScreen: false,
    logLevel: 'warn',
    plugins: [
      {
        name: 'wait-for-server',
        configureServer: ({ middlewares }) => {
          middlewares.use((request, response, next) => {
            const isPage = request.headers.accept?.includes('text/html');
            if (!isPage && !new RegExp(serverPaths).test(request.url ?? '')) return next();
            server.whenSettled().then((problem) => {
              if (problem === null) return next();
              response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8' }).end(`${problem}\n`);
            }, next);
          });
        },
      },
      configurationPlugin(),
      galleryPlugin(),
    ],
  });
  await started.listen();
  return started;
}

/**
 * The desk accepts changes only from its own address, which is that of `localhost`. A page that was opened at 127.0.0.1 is
 * the same one.
 * @param {import('vite').HttpProxy.ProxyServer} proxy
 */
function acceptOtherHostName(proxy) {
  proxy.on('proxyReq', (sent, { headers }) => {
    if (headers.origin === `http://127.0.0.1:${port}`) sent.setHeader('origin', ownUrl);
  });
}

/** Serves the sources of the desk on a separate port, to which the dashboard’s server forwards `/desk`. */
async function startDesk() {
  const started = await vite.createServer({
    root: join(root, 'apps/desk'),
    server: { host: '127.0.0.1', port: deskPort, strictPort: true },
    clearScreen: false,
    logLevel: 'warn',
    plugins: [configurationPlugin()],
  });
  await started.listen();
  return started;
}

/**
 * Serves the gallery of packages/ui at `/gallery`.
 * @returns {import('vite').Plugin}
 */
function galleryPlugin() {
  const folder = join(root, 'packages/ui/gallery');
  return {
    name: 'serve-gallery',
    configureServer: ({ middlewares, transformIndexHtml }) => {
      middlewares.use('/gallery', (_request, response, next) => {
        const page = readFileSync(join(folder, 'index.html'), 'utf8').replace(
          './main.tsx',
          `/@fs/${folder}/main.tsx`,
        );
        transformIndexHtml('/gallery', page).then((html) => {
          response.setHeader('Content-Type', 'text/html; charset=utf-8');
          response.end(html);
        }, next);
      });
    },
  };
}

/** @returns {import('vite').Plugin} */
function configurationPlugin() {
  return {
    name: 'inject-configuration',
    transformIndexHtml: { order: 'pre', handler: injectConfiguration },
  };
}

/**
 * Puts the public configuration into the page. It comes from a page that the running server filled in, so it is
 * exactly what the server injects in production.
 * @param {string} page
 */
async function injectConfiguration(page) {
  const placeholder = '<!--keyturn-config-->';
  const served = await (await fetch(serverUrl)).text();
  const element = /<script type="application\/json" id="keyturn-config">.*?<\/script>/s.exec(served)?.[0];
  if (!element) throw new Error('The server’s page contains no configuration.');
  return page.replace(placeholder, () => element);
}

/**
 * Builds the server, and again after each change of its sources; each build (re)starts it. Unlike the build of a release, it
 * contains no npm packages, which would take most of the time.
 */
async function watchServer() {
  removeAbandonedBuilds();
  mkdirSync(pageFolder, { recursive: true });
  copyFileSync(join(root, 'apps/dashboard/index.html'), join(pageFolder, 'index.html'));
  const build = await vite.build({
    root: join(root, 'apps/server'),
    configFile: false,
    logLevel: 'warn',
    clearScreen: false,
    ssr: {
      noExternal: [/^@keyturn\//],
      resolve: { conditions: ['source', ...vite.defaultServerConditions] },
    },
    build: {
      ssr: true,
      target: 'node20',
      sourcemap: true,
      minify: false,
      outDir: serverFolder,
      emptyOutDir: false,
      rollupOptions: {
        input: {
          main: 'src/main.ts',
          'pdf-worker': 'src/adapters/pdf/pdf-worker.ts',
          'weakness-worker': 'src/people/credentials/weakness-worker.ts',
        },
      },
      watch: { clearScreen: false },
    },
    plugins: [listPackages()],
  });
  if (!('on' in build)) throw new Error('Vite did not start to watch the server.');
  build.on('event', (event) => {
    if (event.code === 'BUNDLE_START') server.expectRestart();
    if (event.code === 'BUNDLE_END') void event.result.close().then(server.restart);
    if (event.code === 'ERROR') {
      server.fail(`The server could not be built: ${event.error.message}`);
      void event.result?.close();
    }
  });
  return build;
}

/**
 * Writes a module that imports each package that the server imports, for the process that waits for the next start.
 * @returns {import('vite').Plugin}
 */
function listPackages() {
  return {
    name: 'list-packages',
    generateBundle(_options, bundle) {
      const imports = bundle['main.js']?.type === 'chunk' ? bundle['main.js'].imports : [];
      const packages = imports.filter((name) => !(name in bundle) && !name.startsWith('node:'));
      const source = packages.map((name) => `import ${JSON.stringify(name)};\n`).join('');
      this.emitFile({ type: 'asset', fileName: 'packages.mjs', source });
    },
  };
}

/** Removes the builds of runs that were killed. */
function removeAbandonedBuilds() {
  const folder = join(root, 'apps/server');
  for (const name of readdirSync(folder)) {
    const pid = Number(/^\.dev-(\d+)$/.exec(name)?.[1]);
    if (pid && !isAlive(pid)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** Stops everything. A second Ctrl-C while it stops changes nothing. */
async function stop() {
  if (isStopping) return;
  isStopping = true;
  await Promise.allSettled([watcher?.close(), dashboard?.close(), desk?.close(), server.stop()]);
  rmSync(serverFolder, { recursive: true, force: true });
  process.exit();
}

/** @returns {Promise<number>} */
function findFreePort() {
  const probe = createTcpServer();
  return new Promise((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

// @ts-check
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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
const serverUrl = `http://127.0.0.1:${await findFreePort()}`;
// At the same depth as `dist`, because the server locates the project relative to its own file.
const serverFolder = join(root, `apps/server/.dev-${process.pid}`);
const pageFolder = join(serverFolder, 'dashboard');

let isStopping = false;
/** @type {import('vite').ViteDevServer | undefined} */
let dashboard;
/** @type {import('vite').ViteDevServer | undefined} */
let desk;
/** @type {{ close(): Promise<void> } | undefined} */
let watcher;
const server = createServerProcess();
process.on('SIGINT', () => void stop());
process.on('SIGTERM', () => void stop());

try {
  dashboard = await startDashboard();
  watcher = await watchServer();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
  await stop();
}

/** Serves the sources of the dashboard and the desk, and forwards everything else to the server. */
async function startDashboard() {
  const proxy = Object.fromEntries(
    ['^/(api|broadcasting|apps|healthz|readyz)(/|$|\\?)', '^/app/'].map((path) => [
      path,
      { target: serverUrl, ws: path === '^/app/', xfwd: true },
    ]),
  );
  const started = await vite.createServer({
    root: join(root, 'apps/dashboard'),
    server: { host, port, strictPort: true, proxy },
    clearScreen: false,
    logLevel: 'warn',
    plugins: [
      {
        name: 'wait-for-server',
        configureServer: ({ middlewares }) => {
          middlewares.use((_request, _response, next) => {
            server.ready().then(() => next(), next);
          });
        },
      },
      {
        name: 'serve-desk',
        configureServer: async ({ middlewares, httpServer }) => {
          desk = await createDesk(httpServer);
          const serveDesk = desk.middlewares;
          middlewares.use((request, response, next) => {
            if (!/^\/desk(\/|$|\?)/.test(request.url ?? '')) return next();
            request.url = request.url?.replace(/^\/desk(?!\/)/, '/desk/');
            return serveDesk(request, response, next);
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
 * Creates the development server of the desk, without a port.
 * @param {import('vite').ViteDevServer['httpServer']} httpServer the dashboard's server
 */
function createDesk(httpServer) {
  return vite.createServer({
    root: join(root, 'apps/desk'),
    server: { middlewareMode: true, ...(httpServer ? { ws: { server: httpServer } } : {}) },
    clearScreen: false,
    logLevel: 'warn',
    plugins: [configurationPlugin()],
  });
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

/** Builds the server, and again after each change of its sources; each build (re)starts it. */
async function watchServer() {
  removeAbandonedBuilds();
  mkdirSync(pageFolder, { recursive: true });
  copyFileSync(join(root, 'apps/dashboard/index.html'), join(pageFolder, 'index.html'));
  const build = await vite.build({
    root: join(root, 'apps/server'),
    logLevel: 'warn',
    clearScreen: false,
    build: { outDir: serverFolder, emptyOutDir: false, watch: { clearScreen: false } },
  });
  if (!('on' in build)) throw new Error('Vite did not start to watch the server.');
  build.on('event', (event) => {
    if (event.code === 'BUNDLE_START') server.expectRestart();
    if (event.code === 'BUNDLE_END') void event.result.close().then(server.restart);
    if (event.code === 'ERROR') {
      console.error(`The server could not be built: ${event.error.message}`);
      void event.result?.close();
    }
  });
  return build;
}

/** Removes the builds of runs that were killed. */
function removeAbandonedBuilds() {
  const folder = join(root, 'apps/server');
  for (const name of readdirSync(folder)) {
    const pid = Number(/^\.dev-(\d+)$/.exec(name)?.[1]);
    if (pid && !isAlive(pid)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** The server as a child process that can be restarted. */
function createServerProcess() {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  let starts = 0;
  /** @type {() => void} */
  let setReady = () => {};
  /** @type {Promise<void>} */
  let ready = new Promise((resolve) => (setReady = resolve));
  let isReady = false;
  /** One restart at a time, in the order of the builds. */
  let queue = Promise.resolve();

  const expectRestart = () => {
    if (!isReady) return;
    isReady = false;
    ready = new Promise((resolve) => (setReady = resolve));
  };
  const markReady = () => {
    isReady = true;
    setReady();
  };
  const end = async () => {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const exited = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill('SIGTERM');
    const timer = setTimeout(() => ending.kill('SIGKILL'), 12_000);
    await exited;
    clearTimeout(timer);
  };
  const start = () => {
    starts += 1;
    const isFirst = starts === 1;
    const startedAt = Date.now();
    const started = spawn(process.execPath, ['--enable-source-maps', join(serverFolder, 'main.js')], {
      cwd: root,
      env: {
        KEYTURN_DATA_DIR: '.keyturn-dev',
        KEYTURN_PUBLIC_URL: `http://${host === '0.0.0.0' ? 'localhost' : host}:${port}`,
        ...process.env,
        KEYTURN_DASHBOARD_DIR: pageFolder,
        KEYTURN_DESK_DIR: pageFolder,
        HOST: '127.0.0.1',
        PORT: new URL(serverUrl).port,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    createInterface({ input: started.stdout }).on('line', (line) => {
      if (line.includes('ready at')) {
        markReady();
        if (!isFirst) console.log(`Server restarted in ${Date.now() - startedAt} ms.`);
      }
      // The welcome is printed once, with the dashboard's address. Lines of the log are JSON.
      if (isFirst || line.startsWith('{')) console.log(line.replaceAll(serverUrl, dashboardUrl()));
    });
    started.once('exit', (code) => {
      if (isStopping || child !== started) return;
      console.error(`The server stopped with status ${code}. It starts again after the next change.`);
      markReady();
    });
  };
  return {
    ready: () => ready,
    expectRestart,
    restart: () => {
      queue = queue.then(async () => {
        if (isStopping) return;
        await end();
        expectRestart();
        start();
      });
      return queue;
    },
    end: () => {
      markReady();
      return queue.then(end);
    },
  };
}

function dashboardUrl() {
  return dashboard?.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? `http://${host}:${port}`;
}

/** Stops everything. A second Ctrl-C while it stops changes nothing. */
async function stop() {
  if (isStopping) return;
  isStopping = true;
  await Promise.allSettled([watcher?.close(), dashboard?.close(), desk?.close(), server.end()]);
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

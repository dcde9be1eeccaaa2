import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { PublicConfig } from '@keyturn/contract';
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import fp from 'fastify-plugin';
import { describeError } from '../../platform/describe-error.ts';
import { secondsUntilOver } from '../register-calls.ts';
import { pagePolicy, treatFilesAsPages, unloggedPolicy } from '../route-policy.ts';
import { allowFrames } from '../security-headers.ts';
import { answerBuildFile, type FindBuildFile } from './answer-build-file.ts';
import { answerPage } from './answer-page.ts';
import { createDashboardPages, type DashboardPages } from './dashboard-pages.ts';
import { idOfBuild, type KeptBuilds, keepBuilds } from './keep-builds.ts';
import { readPrerenderedPages } from './prerendered-pages.ts';

export interface DashboardOptions {
  /** The dashboard's build. */
  directory: string;
  /** The folder that servers of 0.2.0 share their builds in. */
  keptBuilds: string;
  findBuildFile: FindBuildFile;
  publicConfig(): Promise<PublicConfig>;
  /** Returns the path of a style sheet for the pages; null without one. */
  findStyleSheet?: () => Promise<string | null>;
}

/**
 * Creates the plugin that serves the built dashboard: files with hashed names as immutable, also those of
 * other builds, and the page with the public configuration for any other path. A missing file is a 404, not the page.
 */
export function serveDashboard({
  directory,
  keptBuilds,
  findBuildFile,
  publicConfig,
  findStyleSheet,
}: DashboardOptions): FastifyPluginAsync {
  return fp(async (app: FastifyInstance) => {
    const pages = createDashboardPages({
      template: await readFile(join(directory, 'index.html'), 'utf8'),
      findPrerenderedContent: await readPrerenderedPages(directory),
      publicConfig,
      findStyleSheet,
    });
    const build = await idOfBuild(directory);
    const kept = build === null ? null : keepBuilds({ folder: keptBuilds, directory, build });

    await registerFiles(app, directory);
    app.addHook('onReady', async () => {
      for (const path of ['/', '/login']) await pages.pageFor(path);
    });
    if (kept) keepBuildWhileListening(app, kept);
    if (build !== null) await registerBuildRoutes(app, { directory, build, pages });
    await app.register(redirectSignInForm);

    const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
      const path = pathOf(request);
      const { page, status, config } = await pages.pageFor(path);
      if (config.regulation?.badge_url && /^\/regulation\/?$/i.test(path))
        allowFrames(reply, new URL(config.regulation.badge_url).origin);
      const maintenance = status === 503 ? config.maintenance.general : null;
      if (maintenance) reply.header('retry-after', String(secondsUntilOver(maintenance)));
      return answerPage(page, request, reply.code(status));
    };
    app.get('/', { config: { policy: pagePolicy } }, sendPage);
    // Password managers open it (W3C, A Well-Known URL for Changing Passwords) if other paths in its folder are answered with 404.
    app.get('/.well-known/change-password', { config: { policy: pagePolicy } }, (_request, reply) =>
      reply.redirect('/account', 303),
    );
    app.setNotFoundHandler(async (request, reply) => {
      const path = pathOf(request);
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (isRead && !isFilePath(path)) return sendPage(request, reply);
      const folder = isRead ? await kept?.find(path.slice(1)) : null;
      if (folder) return reply.sendFile(path.slice(1), folder);
      return answerBuildFile(findBuildFile, request, reply);
    });
  });
}

const pathOf = (request: FastifyRequest) => request.url.split('?')[0] ?? '/';

/** Registers a route for each file of the build that exists at the start. */
async function registerFiles(app: FastifyInstance, directory: string): Promise<void> {
  treatFilesAsPages(app);
  await app.register(fastifyStatic, {
    root: directory,
    index: false,
    // No wildcard route: the not-found handler answers any other name.
    wildcard: false,
    prefix: '/',
    globIgnore: ['**/*.br', '**/*.gz', '**/index.html', '**/_payload.json', 'builds/latest.json'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, path) => {
      // Files outside the directory belong to former builds, and all have hashed names.
      const isImmutable = /^(assets|builds[\\/]meta|\.\.)[\\/]/.test(relative(directory, path));
      response.setHeader('cache-control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
      response.setHeader('vary', 'accept-encoding');
    },
    dotfiles: 'ignore',
  });
}

/** Registers the routes that tell open tabs which build is the latest, and the data of its sign-in page. */
async function registerBuildRoutes(
  app: FastifyInstance,
  { directory, build, pages }: { directory: string; build: string; pages: DashboardPages },
): Promise<void> {
  // Read once: another build may replace the file while this server still serves its own.
  const latest = await readFile(join(directory, 'builds', 'latest.json'));
  app.get('/login/_payload.json', { config: { policy: unloggedPolicy } }, async (_request, reply) => {
    const { product_name, firm, demonstration } = await pages.currentConfig();
    return reply
      .header('cache-control', 'no-cache')
      .send({ build, data: { product_name, firm, demonstration } });
  });
  app.get('/builds/latest.json', { config: { policy: unloggedPolicy } }, (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('application/json').send(latest),
  );
}

/**
 * A browser without JavaScript submits the sign-in form itself. The page to which it is redirected explains the
 * problem.
 */
const redirectSignInForm: FastifyPluginCallback = (app, _options, done) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, parsed) => {
    body.resume();
    parsed(null);
  });
  app.post('/login', { config: { policy: pagePolicy } }, (request, reply) =>
    reply.redirect(request.url, 303),
  );
  done();
};

/** Keeps the build's files, now and every hour. A failure is only logged, because the build can still be served. */
function keepBuildWhileListening(app: FastifyInstance, kept: KeptBuilds): void {
  let keeping: Promise<void> = Promise.resolve();
  const keep = () => {
    keeping = kept.keep().catch((error: unknown) => {
      app.log.warn({ reason: describeError(error).message }, 'the files of this build cannot be kept');
    });
  };
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    keep();
    timer = setInterval(keep, keepInterval).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    // Nothing may be written after the server has closed.
    await keeping;
  });
}

/** Milliseconds. */
const keepInterval = 3_600_000;

/** Whether a path can only be a file: in a folder of files, or with a file's extension. */
const isFilePath = (path: string) =>
  /^\/(assets|builds|api|\.well-known)\//.test(path) ||
  /\.(js|css|map|json|svg|png|ico|woff2|txt)$/.test(path);

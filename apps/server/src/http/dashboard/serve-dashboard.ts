import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
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
import { answerPage, makePage, makePlainPage, type Page } from './answer-page.ts';
import { idOfBuild, type KeptBuilds, keepBuilds } from './keep-builds.ts';
import { escapeHtml, type PrerenderedContent, readPrerenderedPages } from './prerendered-pages.ts';

export interface DashboardOptions {
  /** The dashboard's build. */
  directory: string;
  /** Where the files of builds are kept for the tabs that still need them. */
  keptBuilds: string;
  publicConfig(): Promise<PublicConfig>;
}

/**
 * The built dashboard: files by their hashed names for ever, those of former builds for a day, the page for every other
 * path with the public configuration inside, and a real 404 for a file that is not there.
 */
export function serveDashboard(options: DashboardOptions): FastifyPluginAsync {
  const { directory, publicConfig } = options;
  return fp(async (app: FastifyInstance) => {
    const page = await readFile(join(directory, 'index.html'), 'utf8');
    if (!page.includes(configPlace)) throw new Error(`index.html of the dashboard has no ${configPlace}`);
    const build = await idOfBuild(directory);
    const prepare = await readPrerenderedPages(directory);
    // What is served is what was there at the start, whatever is built into the folder meanwhile.
    const latest = build === null ? null : await readFile(join(directory, 'builds', 'latest.json'));
    const kept = build === null ? null : keepBuilds({ folder: options.keptBuilds, directory, build });

    await app.register(fastifyStatic, {
      root: directory,
      index: false,
      // A route for each file: any other name, however odd, is the page's to answer.
      wildcard: false,
      prefix: '/',
      globIgnore: ['**/*.br', '**/*.gz', '**/index.html', '**/_payload.json', 'builds/latest.json'],
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, path) => {
        // What is kept of former builds is all by such names.
        const immutable = /^(assets|builds[\\/]meta|\.\.)[\\/]/.test(relative(directory, path));
        response.setHeader('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
        response.setHeader('vary', 'accept-encoding');
      },
      dotfiles: 'ignore',
    });

    // What the firm changes, by the feed for one, reaches the next page that is opened, and not each one asks.
    let made: Made | undefined;
    let reading: Promise<Made> | undefined;
    const read = async (): Promise<Made> => {
      try {
        const config = await publicConfig();
        const element = inPage(config);
        if (made?.element !== element) made = { config, element, until: 0, pages: new Map() };
      } catch (error) {
        // The database is away: the page opens with what was known, and says the rest itself.
        if (!made) throw error;
      }
      made.until = Date.now() + freshFor;
      return made;
    };
    const current = async (): Promise<Made> => {
      if (made && Date.now() < made.until) return made;
      reading ??= read().finally(() => {
        reading = undefined;
      });
      // Nor does a page wait for a database that is slow to say what it said before.
      return made ? Promise.race([reading, wait(patience, made, { ref: false })]) : reading;
    };
    const pageFor = async (path: string): Promise<{ page: Page; status: number }> => {
      const { config, element, pages } = await current();
      const prepared = prepare(path, config);
      const { name, status, links } = prepared;
      const html = () => withPrepared(fillHead(page, config, element), prepared);
      // Every wrong address has a page of its own: those are not kept.
      if (status === 404) return { page: makePlainPage(html()), status };
      const kept = pages.get(name ?? links) ?? makePage(html());
      pages.set(name ?? links, kept);
      return { page: await kept, status };
    };
    const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
      const { page, status } = await pageFor(request.url.split('?')[0] ?? '/');
      const notice = status === 503 ? made?.config.maintenance.general : null;
      if (notice) reply.header('retry-after', String(secondsUntilOver(notice)));
      return answerPage(page, request, reply.code(status));
    };
    app.addHook('onReady', async () => {
      for (const path of ['/', '/login']) await pageFor(path);
    });
    keepServing(app, kept);
    app.get('/', sendPage);
    if (build !== null) {
      app.get('/login/_payload.json', { logLevel: 'silent' }, async (_request, reply) => {
        const { product_name, firm, demonstration } = (await current()).config;
        return reply
          .header('cache-control', 'no-cache')
          .send({ build, data: { product_name, firm, demonstration } });
      });
    }
    if (latest) {
      app.get('/builds/latest.json', { logLevel: 'silent' }, (_request, reply) =>
        reply.header('cache-control', 'no-cache').type('application/json').send(latest),
      );
    }
    await app.register(sendFormsBack);
    app.setNotFoundHandler(async (request, reply) => {
      const path = request.url.split('?')[0] ?? '/';
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (isRead && !isFile(path)) return sendPage(request, reply);
      const root = isRead ? await kept?.find(path.slice(1)) : null;
      if (root) return reply.sendFile(path.slice(1), root);
      return reply.code(404).type('text/plain; charset=utf-8').send('Not found\n');
    });
  });
}

/** Without scripts a browser sends the form of sign-in itself, and nothing can come of it: the page says so. */
const sendFormsBack: FastifyPluginCallback = (app, _options, done) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, parsed) => {
    body.resume();
    parsed(null);
  });
  app.post('/login', (request, reply) => reply.redirect(request.url, 303));
  done();
};

/** Only a server that listens keeps its build. Where it cannot be kept it is served all the same. */
function keepServing(app: FastifyInstance, kept: KeptBuilds | null) {
  if (!kept) return;
  let keeping: Promise<void> = Promise.resolve();
  const keep = () => {
    keeping = kept.keep().catch((error: unknown) => {
      app.log.warn({ reason: describeError(error).message }, 'the files of this build cannot be kept');
    });
  };
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    keep();
    timer = setInterval(keep, keepEvery).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    // Nothing of it is written any more once the server is closed.
    await keeping;
  });
}

/** Milliseconds. */
const keepEvery = 3_600_000;

/** Milliseconds. */
const freshFor = 1_000;
const patience = 500;

const configPlace = '<!--keyturn-config-->';

/** Below these, and wherever the last part has an ending, a file is meant and never the page. */
const isFile = (path: string) =>
  /^\/(assets|builds|api)\//.test(path) || /\.(js|css|map|json|svg|png|ico|woff2|txt)$/.test(path);

/** What is said of the firm, and the pages that say it, by what they have been given in advance. */
interface Made {
  config: PublicConfig;
  element: string;
  /** Milliseconds since 1970. */
  until: number;
  pages: Map<string, Promise<Page>>;
}

const fillHead = (page: string, { product_name }: PublicConfig, element: string) =>
  page
    .replace(/(<title>)Keyturn /, (_all, tag: string) => `${tag}${escapeHtml(product_name)} `)
    .replace(configPlace, () => element);

/** With what was rendered in advance. A whole screen says itself what the page needs scripts for. */
function withPrepared(page: string, { name, html, isWhole, links }: PrerenderedContent): string {
  const filled = page
    .replace('</head>', `${links}</head>`)
    .replace('<div id="root"></div>', (empty) =>
      name === null ? empty : `<div id="root" data-page="${name}">${html}</div>`,
    );
  return isWhole ? filled.replace(/<noscript>\s*<div class="no-script">[\s\S]*?<\/noscript>/, '') : filled;
}

/** JSON that cannot end its own element. */
function inPage(config: PublicConfig): string {
  const json = JSON.stringify(config).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="keyturn-config">${json}</script>`;
}

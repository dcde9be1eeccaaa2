import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { PublicConfig } from '@keyturn/contract';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply } from 'fastify';
import fp from 'fastify-plugin';

export interface DashboardOptions {
  /** The dashboard's build. */
  directory: string;
  publicConfig(): Promise<PublicConfig>;
}

/**
 * The built dashboard: files by their hashed names for ever, the page for every other path with the public
 * configuration inside, and a real 404 for a file that is not there.
 */
export function serveDashboard({ directory, publicConfig }: DashboardOptions): FastifyPluginCallback {
  return fp(async (app: FastifyInstance) => {
    const page = await readFile(join(directory, 'index.html'), 'utf8');
    if (!page.includes(configPlace)) throw new Error(`index.html of the dashboard has no ${configPlace}`);

    await app.register(fastifyStatic, {
      root: directory,
      index: false,
      // A route for each file: any other name, however odd, is the page's to answer.
      wildcard: false,
      prefix: '/',
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, path) => {
        const immutable = path.includes('/assets/');
        response.setHeader('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
      dotfiles: 'ignore',
    });

    // What the firm changes, by the feed for one, reaches the next page that is opened, and not each one asks.
    let kept = { element: '', until: 0 };
    const configElement = async () => {
      if (Date.now() < kept.until) return kept.element;
      try {
        kept = { element: inPage(await publicConfig()), until: Date.now() + freshFor };
      } catch (error) {
        // The database is away: the page opens with what was known, and says the rest itself.
        if (kept.element === '') throw error;
      }
      return kept.element;
    };
    const sendPage = async (reply: FastifyReply) => {
      const element = await configElement();
      return reply
        .code(200)
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(page.replace(configPlace, () => element));
    };
    app.addHook('onReady', async () => {
      await configElement();
    });
    app.get('/', (_request, reply) => sendPage(reply));
    app.setNotFoundHandler((request, reply) => {
      const path = request.url.split('?')[0] ?? '/';
      const isPage = (request.method === 'GET' || request.method === 'HEAD') && !isFile(path);
      if (isPage) return sendPage(reply);
      return reply.code(404).type('text/plain; charset=utf-8').send('Not found\n');
    });
  });
}

/** Milliseconds. */
const freshFor = 1_000;

const configPlace = '<!--keyturn-config-->';

/** Below these, and wherever the last part has an ending, a file is meant and never the page. */
const isFile = (path: string) =>
  /^\/(assets|builds|api)\//.test(path) || /\.(js|css|map|json|svg|png|ico|woff2|txt)$/.test(path);

/** JSON that cannot end its own element. */
function inPage(config: PublicConfig): string {
  const json = JSON.stringify(config).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="keyturn-config">${json}</script>`;
}

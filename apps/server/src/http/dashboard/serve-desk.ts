import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { PublicConfig } from '@keyturn/contract';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { pagePolicy, treatFilesAsPages } from '../route-policy.ts';
import { strictSecurityHeaders } from '../security-headers.ts';
import { answerBuildFile, type FindBuildFile } from './answer-build-file.ts';
import { answerPage } from './answer-page.ts';
import { createDashboardPages, type DashboardPages } from './dashboard-pages.ts';
import { readPrerenderedPages } from './prerendered-pages.ts';

export interface DeskOptions {
  /** The desk's build. */
  directory: string;
  /** Other origins that the desk connects to: an external server of the real-time channel. */
  connect?: string[];
  findBuildFile: FindBuildFile;
  publicConfig(): Promise<PublicConfig>;
}

/**
 * Creates the plugin that serves the built desk below its prefix: files with hashed names as immutable, also those of
 * other builds, and the page with the public configuration for any other path, even during maintenance. A missing file is
 * a 404, not the page.
 */
export function serveDesk({
  directory,
  connect = [],
  findBuildFile,
  publicConfig,
}: DeskOptions): FastifyPluginAsync {
  return async (app) => {
    const createPages = async (template: string) =>
      createDashboardPages({
        template,
        // The desk has none, so that every path gets the same page.
        findPrerenderedContent: await readPrerenderedPages(directory),
        publicConfig,
      });
    const pages = await createPages(await readFile(join(directory, 'index.html'), 'utf8'));
    const headers = await strictSecurityHeaders({ connect, frames: 'contains' });
    app.addHook('onRequest', (_request, reply, next) => {
      for (const [name, value] of headers) reply.raw.setHeader(name, value);
      reply.raw.setHeader('x-robots-tag', 'noindex');
      next();
    });
    treatFilesAsPages(app);
    await app.register(fastifyStatic, {
      root: directory,
      index: false,
      // No wildcard route: the routes below answer any other name.
      wildcard: false,
      // The dashboard also decorates replies, so only the first of the two does.
      decorateReply: false,
      globIgnore: ['**/*.br', '**/*.gz', '**/*.html'],
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, path) => {
        const isImmutable = /^assets[\\/]/.test(relative(directory, path));
        response.setHeader('cache-control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
        response.setHeader('vary', 'accept-encoding');
      },
      dotfiles: 'ignore',
    });
    const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
      const path = request.url.split('?')[0] ?? '';
      if (isFilePath(path)) return answerBuildFile(findBuildFile, request, reply);
      const { page } = await pages.pageFor(path);
      return answerPage(page, request, reply);
    };
    const asPage = { config: { policy: pagePolicy } };
    app.get('/', asPage, sendPage);
    app.get('/*', asPage, sendPage);
    // Only a build that has the preview: tests of the server use one without.
    const preview = await readFile(join(directory, 'preview.html'), 'utf8').catch(() => null);
    if (preview !== null) await servePreview(app, await createPages(preview));
  };
}

/** Serves the page that shows a case as a client sees it, in a frame of the desk. */
async function servePreview(app: FastifyInstance, pages: DashboardPages): Promise<void> {
  const headers = await strictSecurityHeaders({ frames: 'within' });
  app.get('/preview', { config: { policy: pagePolicy } }, async (request, reply) => {
    for (const [name, value] of headers) reply.raw.setHeader(name, value);
    const { page } = await pages.pageFor('/preview');
    return answerPage(page, request, reply);
  });
}

/** Whether a path below the prefix can only be a file of a build. */
const isFilePath = (path: string) => /^\/[^/]+\/(assets\/|[^/]+\.\w+$)/.test(path);

import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import swagger from '@fastify/swagger';
import type { PaymentProvider } from '@keyturn/contract';
import Fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { DomainError } from '../platform/domain-error.ts';
import { allowOrigins } from './allow-origins.ts';
import { answerDomainError, answerError } from './error-answers.ts';
import { type Answered, logRequests } from './log-requests.ts';
import { createLoggerOptions } from './logger-options.ts';
import { type CallDependencies, registerCalls } from './register-calls.ts';
import { securityHeaders } from './security-headers.ts';
import { type ShedLoadOptions, shedLoad } from './shed-load.ts';

export interface ServerOptions extends CallDependencies {
  logLevel: string;
  /** Standard output by default. */
  logTo?: { write(line: string): void };
  trustedProxies: number;
  version: string;
  /** The sandbox by default. */
  paymentProvider?: PaymentProvider;
  /** Other origins that the dashboard connects to. */
  connect?: string[];
  /** Other origins whose dashboards may call this server. */
  allowedOrigins?: string[];
  /** Routes below /api that are not in the contract: webhooks and the sandbox. */
  apiPlugins: ((api: FastifyInstance) => Promise<void>)[];
  /** Routes outside /api: those of the real-time channel. */
  plugins?: ((server: FastifyInstance) => Promise<void>)[];
  /** Serves every other path. */
  dashboard?: FastifyPluginAsync;
  isReady(): Promise<boolean>;
  onAnswered?: (answered: Answered) => void;
  /** Without it, no request is rejected. */
  load?: ShedLoadOptions;
  timeouts?: Partial<typeof timeouts>;
}

/** Creates the HTTP server; it does not listen yet. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const times = { ...timeouts, ...options.timeouts };
  const app = Fastify({
    logger: createLoggerOptions({ level: options.logLevel, logTo: options.logTo }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: (_address, hop) => hop < options.trustedProxies,
    bodyLimit: 100 * 1024,
    requestTimeout: times.request,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: times.headers, connectionsCheckingInterval: times.checkEvery },
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 300 },
    frameworkErrors: (_error, request, reply) => answerUndecodablePath(request, reply),
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
  });
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  await app.register(logRequests, { onAnswered: options.onAnswered });
  await app.register(securityHeaders, {
    paymentProvider: options.paymentProvider ?? 'sandbox',
    connect: options.connect ?? [],
  });
  await app.register(allowOrigins, { origins: options.allowedOrigins ?? [] });
  // After the CORS headers, without which a dashboard on another origin could not read `Retry-After`.
  if (options.load) await app.register(shedLoad, options.load);
  app.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'ok' }));
  app.get('/readyz', { logLevel: 'silent' }, async (_request, reply) => {
    const ready = await options.isReady();
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable' });
  });
  await app.register(
    async (api) => {
      // Safe against compression attacks such as BREACH: other sites cannot make a browser send the bearer token.
      await api.register(compress, { encodings: ['br', 'gzip'], globalDecompression: false });
      await api.register(swagger, {
        openapi: {
          openapi: '3.1.0',
          info: { title: 'Keyturn client API', version: options.version },
          servers: [{ url: '/api' }],
          components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
        },
        stripBasePath: true,
      });
      api.setNotFoundHandler((_request, reply) => answerDomainError(new DomainError('not_found'), reply));
      acceptJson(api);
      registerCalls(api, options);
      api.get('/openapi.json', { schema: { hide: true } as object }, async () => api.swagger());
      for (const plugin of options.apiPlugins) await api.register(plugin);
    },
    { prefix: '/api' },
  );
  for (const plugin of options.plugins ?? []) await app.register(plugin);
  if (options.dashboard) await app.register(options.dashboard);
  return app;
}

/** Milliseconds until a request's headers, and the whole request, must have arrived: against slowloris attacks. */
const timeouts = { headers: 15_000, request: 30_000, checkEvery: 5_000 };

/** Answers a path that cannot be decoded with 404; a browser is redirected to the page that shows it. */
function answerUndecodablePath({ method, url }: Pick<FastifyRequest, 'method' | 'url'>, reply: FastifyReply) {
  const isPage = method === 'GET' && !/^\/(api|assets|builds)(\/|$)/.test(url);
  if (isPage) reply.redirect(url.replaceAll('%', '%25').replace(/^\/+/, '/'), 302);
  else answerDomainError(new DomainError('not_found'), reply);
}

/** Accepts only JSON bodies. An empty body counts as none, whatever its content type. */
function acceptJson(api: FastifyInstance) {
  const parse = api.getDefaultJsonParser('error', 'error');
  api.removeAllContentTypeParsers();
  api.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    return parse(request, body as string, (error, value) =>
      error ? done(new DomainError('malformed_json')) : done(null, value),
    );
  });
}

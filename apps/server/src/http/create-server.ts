import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import swagger from '@fastify/swagger';
import {
  type CallDefinition,
  calls,
  type Maintenance,
  type PaymentProvider,
  usualPolicy,
} from '@keyturn/contract';
import Fastify, { type FastifyInstance, type FastifyPluginAsync, LogController } from 'fastify';
import { DomainError } from '../platform/domain-error.ts';
import { hasRepeatedField, repeatedFieldError } from '../platform/requests/repeated-field.ts';
import type { Tracer } from '../platform/tracing/spans.ts';
import { allowOrigins } from './allow-origins.ts';
import { answerParserError } from './answer-parser-error.ts';
import { createHttpServer, type SignedRequests } from './answer-signed-requests.ts';
import type { AnsweredCalls } from './call-handlers.ts';
import { type ClientCallOptions, type ClientHandler, clientCallAccess } from './client-calls.ts';
import { answerDomainError, answerError, unknownPath } from './error-answers.ts';
import { createSerialiserCompiler, createValidatorCompiler } from './input/compile-schemas.ts';
import { escapeUndecodablePath, rejectAmbiguousRequests } from './input/reject-ambiguous-requests.ts';
import { limitConnections } from './limits/limit-connections.ts';
import { limitAddresses } from './limits/limit-requests.ts';
import { type Answered, logRequests } from './log-requests.ts';
import { createLoggerOptions } from './logger-options.ts';
import { type RegisterOptions, registerCalls } from './register-calls.ts';
import { requirePolicies, unknownCallPolicy, unloggedPolicy } from './route-policy.ts';
import { allowHosts } from './security/allow-hosts.ts';
import { securityHeaders } from './security-headers.ts';
import { type ShedLoadOptions, shedLoad } from './shed-load.ts';
import { traceRequests } from './trace-requests.ts';
import { warnOfProxies } from './warn-of-proxies.ts';

export interface ServerOptions
  extends ClientCallOptions,
    Pick<RegisterOptions<CallDefinition, unknown>, 'downloadPatience' | 'provesAnswers'> {
  handlers: AnsweredCalls;
  /** Returns the areas in maintenance now. */
  readMaintenance(): Maintenance | Promise<Maintenance>;
  logLevel: string;
  /** Standard output by default. */
  logTo?: { write(line: string): void };
  trustedProxies: number;
  version: string;
  /** The sandbox by default. */
  paymentProvider?: PaymentProvider;
  /** Other origins that the dashboard connects to. */
  connect?: string[];
  /** Host names that requests may be sent to; any by default. */
  allowedHosts?: string[];
  /** Whether to serve the description of the API; true by default. */
  servesDescription?: boolean;
  /** Routes below /api that are not in the contract: webhooks and the sandbox. */
  apiPlugins: ((api: FastifyInstance) => Promise<void>)[];
  /** Routes outside /api: those of the real-time channel. */
  plugins?: ((server: FastifyInstance) => Promise<void>)[];
  /** Requests that Fastify does not see. */
  signedRequests?: SignedRequests | undefined;
  /** Serves the desk. */
  desk?: FastifyPluginAsync;
  /** Serves every other path. */
  dashboard?: FastifyPluginAsync;
  isReady(): Promise<boolean>;
  /**
   * Whether the server is about to close. Each connection is then closed after its next response, so that proxies and
   * browsers open the next one to another server.
   */
  isClosing?: () => boolean;
  /** Problems to show with the readiness of a server that is ready anyway. */
  problems?: () => Promise<Record<string, string>>;
  onAnswered?: (answered: Answered) => void;
  /** Records a trace of each request; without it, none. */
  tracer?: Tracer | undefined;
  /** Key of the hashes that represent email addresses in the log. */
  emailHashKey?: string;
  /** Without it, no request is rejected. */
  load?: ShedLoadOptions;
  timeouts?: Partial<typeof timeouts>;
}

/** Creates the HTTP server; it does not listen yet. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const times = { ...timeouts, ...options.timeouts };
  const app: FastifyInstance = Fastify({
    logger: createLoggerOptions({ level: options.logLevel, logTo: options.logTo }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: (_address, hop) => hop < options.trustedProxies,
    bodyLimit: 100 * 1024,
    // A busy machine may take longer than the default of ten seconds to start a plugin.
    pluginTimeout: 120_000,
    serverFactory: (handler) =>
      createHttpServer(handler, {
        signedRequests: options.signedRequests,
        onAnswered: options.onAnswered,
        log: () => app.log,
        arrival: times.request,
        isClosing: options.isClosing ?? (() => false),
        http: {
          requestTimeout: times.slowest,
          keepAliveTimeout: 65_000,
          headersTimeout: times.headers,
          connectionsCheckingInterval: times.checkEvery,
        },
      }),
    forceCloseConnections: 'idle',
    // Longer than Node.js accepts: a long parameter is answered by its route, with the headers of every response.
    routerOptions: { maxParamLength: 32 * 1024 },
    rewriteUrl: escapeUndecodablePath,
    frameworkErrors: (_error, _request, reply) => {
      void answerDomainError(unknownPath(), reply);
    },
    clientErrorHandler: answerParserError,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
  });
  limitConnections(app.server, app.log);
  requirePolicies(app);
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id);
    next();
  });
  if (options.tracer)
    await app.register(traceRequests, { tracer: options.tracer, hasProxy: options.trustedProxies > 0 });
  await app.register(logRequests, { onAnswered: options.onAnswered, emailHashKey: options.emailHashKey });
  await app.register(securityHeaders, {
    paymentProvider: options.paymentProvider ?? 'sandbox',
    connect: options.connect ?? [],
  });
  await app.register(allowOrigins, { origins: options.allowedOrigins ?? [] });
  await app.register(rejectAmbiguousRequests);
  await app.register(allowHosts, { hosts: options.allowedHosts ?? [] });
  await app.register(warnOfProxies, { trustedProxies: options.trustedProxies });
  // After the CORS headers, without which a dashboard on another origin could not read `Retry-After`.
  if (options.load) await app.register(shedLoad, options.load);
  if (options.limits) await app.register(limitAddresses, { limits: options.limits });
  app.get('/healthz', { config: { policy: unloggedPolicy } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { config: { policy: unloggedPolicy } }, async (_request, reply) => {
    const ready = await options.isReady();
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'unavailable', ...(await options.problems?.()) });
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
      api.setNotFoundHandler({ config: { policy: unknownCallPolicy } } as object, (_request, reply) =>
        answerDomainError(unknownPath(), reply),
      );
      acceptJson(api);
      api.setValidatorCompiler(createValidatorCompiler());
      api.setSerializerCompiler(createSerialiserCompiler());
      registerCalls(
        api,
        calls as Record<string, CallDefinition>,
        options.handlers as Record<string, ClientHandler>,
        {
          ...options,
          access: clientCallAccess(options),
          securityOf: ({ access }) => (access === 'client' ? [{ bearer: [] }] : []),
        },
      );
      if (options.servesDescription !== false) describeCalls(api);
      for (const plugin of options.apiPlugins) await api.register(plugin);
    },
    { prefix: '/api' },
  );
  for (const plugin of options.plugins ?? []) await app.register(plugin);
  if (options.desk) await app.register(options.desk, { prefix: '/desk' });
  if (options.dashboard) await app.register(options.dashboard);
  return app;
}

/** Serves the description of the client API, which takes 20 ms to create. */
function describeCalls(api: FastifyInstance): void {
  let description: string | undefined;
  api.get(
    '/openapi.json',
    { schema: { hide: true } as object, config: { policy: usualPolicy } },
    async (_request, reply) => {
      description ??= JSON.stringify(api.swagger());
      return reply.type('application/json; charset=utf-8').send(description);
    },
  );
}

/**
 * Milliseconds until a request's headers, its body, and the body of a slow upload must have arrived: against slowloris
 * attacks.
 */
const timeouts = { headers: 14_000, request: 30_000, slowest: 15 * 60_000, checkEvery: 5_000 };

const notUtf8 = 'The request body is not encoded as UTF-8.';

/** Accepts only JSON bodies in UTF-8 without repeated fields. An empty body counts as none, whatever its content type. */
function acceptJson(api: FastifyInstance) {
  const parse = api.getDefaultJsonParser('error', 'error');
  api.removeAllContentTypeParsers();
  api.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    // Bytes of another encoding would be stored as “Zo�”.
    if (!isUtf8(body as Buffer)) return done(new DomainError('malformed_json', { message: notUtf8 }));
    const text = body.toString('utf8');
    return parse(request, text, (error, value) => {
      if (error) return done(new DomainError('malformed_json'));
      if (hasRepeatedField(text, value)) return done(repeatedFieldError());
      return done(null, value);
    });
  });
}

import { isDeepStrictEqual } from 'node:util';
import { ErrorBody, type Maintenance, type MaintenanceNotice } from '@keyturn/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { DomainError, errorCatalogue } from '../platform/domain-error.ts';
import { JsonText } from '../platform/reads/client-read.ts';
import { answerFile } from './answer-file.ts';
import type { AnyCall, FileAnswer, RequestSubject } from './call-handlers.ts';
import { inputChecks } from './input/input-checks.ts';
import { limitDownloads, maxDownloads, warnOfDownloads } from './limits/limit-downloads.ts';
import type { UploadLimit } from './limits/limit-uploads.ts';

/** Decides who may make the calls of one API, and runs their handlers for them. It reads `access` of each call. */
export interface CallAccess<Call extends AnyCall, Handler> {
  /**
   * Admits a request before its body is read.
   * @throws DomainError `unauthenticated`, or the reason why the caller may not make this call
   */
  admit(request: FastifyRequest, reply: FastifyReply, call: Call, handler: Handler): Promise<void> | void;
  /**
   * Checks the session of a change again once the whole request has arrived, which can take half a minute. A stolen
   * session that has ended meanwhile could otherwise still make changes.
   * @throws DomainError `unauthenticated`
   */
  readmit(request: FastifyRequest, reply: FastifyReply, call: Call): Promise<void> | void;
  /** Runs the handler with what it needs of the request. @returns its answer */
  handle(request: FastifyRequest, reply: FastifyReply, call: Call, handler: Handler): Promise<unknown>;
  /** Identifies the caller whose downloads are counted. */
  callerOf(request: FastifyRequest): string | undefined;
}

/** Names of credentials, as OpenAPI has them. */
type Security = readonly Record<string, readonly string[]>[];

/** The answer of a call with several statuses. */
interface WholeAnswer {
  status: number;
  body: object;
  /** The path of the created record, if the answer has one. */
  location?: string;
}

export interface RegisterOptions<Call extends AnyCall, Handler> {
  access: CallAccess<Call, Handler>;
  /** Returns the areas in maintenance now, for an API with calls that do not work meanwhile. */
  readMaintenance?: () => Maintenance | Promise<Maintenance>;
  /** Milliseconds without progress after which a download is aborted. */
  downloadPatience?: number;
  /** Whether to check that answers from PostgreSQL match the contract, for development and tests. */
  provesAnswers?: boolean;
  /** The credential that the description of the API names; without it, the call is not described. */
  securityOf?: (call: Call) => Security;
  /** Limits the files that are received at the same time, by calls with an upload. */
  uploads?: UploadLimit;
  /** Whether a file can be requested with HEAD: not if it is made, or audited, for its download. */
  hasHeadOfFiles?: boolean;
}

/**
 * Registers the route of each call that has a handler. A route treats requests as the call defines it, checks the access,
 * validates the request and limits the answer to its schema.
 * @param calls the calls of one API
 */
export function registerCalls<Call extends AnyCall, Handler>(
  app: FastifyInstance,
  calls: Readonly<Record<string, Call>>,
  handlers: Readonly<Record<string, Handler>>,
  options: RegisterOptions<Call, Handler>,
): void {
  const { access, readMaintenance, downloadPatience = 30_000, provesAnswers = false, uploads } = options;
  const downloads = limitDownloads(maxDownloads, warnOfDownloads(app));
  for (const [key, call] of Object.entries(calls)) {
    const handler = handlers[key];
    if (!handler) continue;
    const [method, path] = key.split(' ') as [string, string];
    const bodyLimit = call.upload?.maxBytes ?? call.maxBytes;
    app.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      ...(call.file && options.hasHeadOfFiles === false ? { exposeHeadRoute: false } : {}),
      ...(bodyLimit === undefined ? {} : { bodyLimit }),
      config: { policy: call },
      schema: routeSchema(key, call, options.securityOf?.(call)),
      onRequest: async (request, reply) => {
        if (!call.duringMaintenance && readMaintenance) {
          const maintenance = readMaintenance();
          refuseInMaintenance(call, maintenance instanceof Promise ? await maintenance : maintenance);
        }
        await access.admit(request, reply, call, handler);
      },
      ...inputChecks(call),
      handler: async (request, reply) => {
        if (isMutating(request)) await access.readmit(request, reply, call);
        if (uploads && !Buffer.isBuffer(request.body)) throw new DomainError('unsupported_media_type');
        const work = () => access.handle(request, reply, call, handler);
        if (call.file) {
          const file = await downloads.during(access.callerOf(request) ?? '', reply.raw, work);
          return answerFile(file as FileAnswer, request, reply, downloadPatience);
        }
        const answer = await (uploads ? uploads.during(request, work) : work());
        reply.header('cache-control', 'no-store');
        if (answer instanceof JsonText) {
          const text = call.meta ? answer.text : `{"data":${answer.text}}`;
          if (provesAnswers) proveAnswer(text, reply);
          return reply.type('application/json; charset=utf-8').send(text);
        }
        if (call.answers) return sendWhole(answer as WholeAnswer, reply);
        if (!call.data) return reply.code(204).send();
        return call.meta ? answer : { data: answer };
      },
    });
  }
}

function sendWhole({ status, body, location }: WholeAnswer, reply: FastifyReply): FastifyReply {
  if (location !== undefined) reply.header('location', location);
  return reply.code(status).send(body);
}

/**
 * Creates the schema of a call’s route, which validates the request and limits the answer.
 * @param security the credential that the description names; without it, the call is not described
 */
function routeSchema(key: string, call: AnyCall, security: Security | undefined): FastifySchema {
  if (call.answers) return { hide: true } as FastifySchema;
  const response: Record<string, unknown> = {};
  if (call.file) {
    const content = Object.fromEntries(
      call.file.map((mediaType) => [mediaType, { schema: { type: 'string', format: 'binary' } }]),
    );
    response[200] = { description: 'The file', content };
  } else if (call.data) {
    const properties = { data: call.data, ...(call.meta ? { meta: call.meta } : {}) };
    response[200] = { type: 'object', properties, required: Object.keys(properties), description: 'Done' };
  } else {
    response[204] = { type: 'null', description: 'Done' };
  }
  const always = [
    'unexpected',
    'unavailable',
    'too_many_requests',
    ...(call.duringMaintenance ? [] : ['maintenance' as const]),
  ] as const;
  for (const code of [...call.errors, ...always]) {
    const { status, message } = errorCatalogue[code];
    response[status] ??= { ...ErrorBody, description: message };
  }
  const schema: FastifySchema & Record<string, unknown> = {
    summary: call.summary,
    operationId: key
      .replaceAll(/[^A-Za-z]+/g, '-')
      .toLowerCase()
      .replace(/-$/, ''),
    ...(security ? { security } : { hide: true }),
    response,
  };
  if (call.params) schema.params = call.params;
  if (call.query) schema.querystring = call.query;
  if (call.headers) schema.headers = call.headers;
  if (call.body) schema.body = call.body.schema;
  return schema;
}

/** Whether a request may change something. */
export const isMutating = ({ method }: FastifyRequest): boolean => method !== 'GET' && method !== 'HEAD';

/** @throws Error if the serialiser of the contract would add, remove or change anything */
function proveAnswer(text: string, reply: FastifyReply): void {
  const answer: unknown = JSON.parse(text);
  const serialise = reply.getSerializationFunction('200');
  if (!serialise || !isDeepStrictEqual(JSON.parse(serialise(answer as Record<string, unknown>)), answer)) {
    throw new Error(`an answer is not as the contract has it: ${text.slice(0, 1_000)}`);
  }
}

function refuseInMaintenance(call: AnyCall, { general, case_history }: Maintenance) {
  const notice = general ?? (call.area === 'case-history' ? case_history : null);
  if (!notice) return;
  throw new DomainError('maintenance', {
    ...(notice.message ? { message: notice.message } : {}),
    retryAfter: secondsUntilOver(notice),
  });
}

/** Returns the seconds until maintenance is expected to end, for `Retry-After`: from 30 seconds to an hour. */
export function secondsUntilOver({ until }: Pick<MaintenanceNotice, 'until'>): number {
  const seconds = until ? Math.ceil((Date.parse(until) - Date.now()) / 1000) : 0;
  return Math.min(Math.max(seconds, 30), 3600);
}

/** Adds what identifies the caller of a request to its line in the log. */
export const nameCaller = (request: FastifyRequest) => (subject: RequestSubject) => {
  request.subject = { ...request.subject, ...subject };
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller for the log, of calls that need no token or whose statement checks it. */
    subject?: RequestSubject;
  }
}

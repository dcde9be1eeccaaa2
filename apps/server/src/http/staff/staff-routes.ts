import { timingSafeEqual } from 'node:crypto';
import { type StaffCallDefinition, type StaffCallKey, staffCalls } from '@keyturn/contract/staff';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { assertRecent } from '../../platform/credentials/assert-recent.ts';
import type { SignedInStaff } from '../../platform/credentials/signed-in-staff.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { answerFile } from '../answer-file.ts';
import type { FileAnswer, RequestSubject } from '../call-handlers.ts';
import { inputChecks, isMutating, routeSchema } from '../call-routes.ts';
import { cookieOf } from '../cookies.ts';
import { deviceOf } from '../device-cookie.ts';
import { allowSlowArrival } from '../limits/limit-arrival.ts';
import {
  type DownloadLimit,
  limitDownloads,
  maxDownloads,
  warnOfDownloads,
} from '../limits/limit-downloads.ts';
import { countClient, type RequestLimits } from '../limits/limit-requests.ts';
import { createUploadLimit, type UploadLimit } from '../limits/limit-uploads.ts';
import type { StaffHandlers } from './staff-handlers.ts';

export interface StaffRouteOptions {
  handlers: StaffHandlers;
  /** Finds the member of a session's token; null if it is invalid. */
  authenticate(token: string, options: { touch: boolean }): Promise<SignedInStaff | null>;
  /** Derives the token that a page of the desk sends with each change. */
  csrfTokenOf(token: string): string;
  clock: Clock;
  /** The origin of the desk; null: the one that the request was sent to. */
  origin: string | null;
  isHttps: boolean;
  /** Without it, no request is limited. */
  limits?: RequestLimits;
}

/** Milliseconds without progress after which a download is aborted. */
const downloadPatience = 30_000;

/**
 * Registers a route for every call of the staff API. The cookie of its session opens no route of clients, and no token of
 * a client opens these.
 */
export function staffRoutes(options: StaffRouteOptions) {
  return async (api: FastifyInstance): Promise<void> => {
    const keys = Object.keys(staffCalls) as StaffCallKey[];
    const isUpload = (key: StaffCallKey) => 'upload' in staffCalls[key];
    const downloads = limitDownloads(maxDownloads, warnOfDownloads(api));
    for (const key of keys) if (!isUpload(key)) registerCall(api, key, options, { downloads });
    await api.register(async (files) => {
      const uploads = acceptFiles(files);
      for (const key of keys) if (isUpload(key)) registerCall(files, key, options, { uploads });
    });
  };
}

/** Files in memory at once, on each server, and of each member. */
const maxUploads = { inAll: 6, ofMember: 2 };
/** A file of 25 MB may take 14 minutes. */
const slowUpload = { grace: 30_000, bytesPerSecond: 32 * 1024, checkEvery: 5_000 };

/** Makes the routes of an API accept files only, a few at a time. */
function acceptFiles(api: FastifyInstance): UploadLimit {
  const limit = createUploadLimit(maxUploads.inAll, maxUploads.ofMember);
  api.removeAllContentTypeParsers();
  api.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  // Runs after the route’s own hook, so that unauthorised callers cannot occupy a slot.
  api.addHook('preParsing', async (request, reply) => {
    limit.enter(request, reply, request.signedInStaff?.id);
    allowSlowArrival(request.raw, reply.raw, slowUpload);
  });
  return limit;
}

function registerCall(
  api: FastifyInstance,
  key: StaffCallKey,
  options: StaffRouteOptions,
  { uploads, downloads }: { uploads?: UploadLimit; downloads?: DownloadLimit },
): void {
  const call: StaffCallDefinition = staffCalls[key];
  const [method, path] = key.split(' ') as [string, string];
  const handler = options.handlers[key] as (request: unknown) => Promise<unknown>;
  api.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    // Files are made, or audited, for their download.
    exposeHeadRoute: !call.file,
    config: { policy: call },
    schema: routeSchema(key, call, { hide: true }),
    ...(call.upload ? { bodyLimit: call.upload.maxBytes } : {}),
    onRequest: async (request, reply) => {
      const isMutation = isMutating(request);
      if (isMutation) requireOrigin(request, options);
      if (call.access !== 'desk') await admit(request, reply, { call, isMutation, options });
    },
    ...inputChecks(call),
    handler: async (request, reply) => {
      if (isMutating(request) && call.access !== 'desk') await readmit(request, reply, options);
      if (uploads && !Buffer.isBuffer(request.body)) throw new DomainError('unsupported_media_type');
      const work = () => handler(toStaffRequest(request, reply, options));
      if (call.file && downloads) {
        const file = await downloads.during(request.signedInStaff?.id ?? '', reply.raw, work);
        return answerFile(file as FileAnswer, request, reply, downloadPatience);
      }
      const answer = await (uploads ? uploads.during(request, work) : work());
      reply.header('cache-control', 'no-store');
      if (call.meta) return answer;
      return call.data ? { data: answer } : reply.code(204).send();
    },
  });
}

/** @throws DomainError `unauthenticated`, or the reason why the session may not make this call */
async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    call,
    isMutation,
    options,
  }: { call: StaffCallDefinition; isMutation: boolean; options: StaffRouteOptions },
): Promise<void> {
  const token = sessionCookieOf(request, reply, options).value;
  // Background requests of an open page do not keep a session alive.
  const touch = request.headers['x-activity'] !== 'background';
  const member = token === null ? null : await options.authenticate(token, { touch });
  if (token === null || !member) throw new DomainError('unauthenticated');
  request.signedInStaff = member;
  if (options.limits) await countClient(options.limits, request, member.id);
  if (isMutation) requireCsrfToken(request, options.csrfTokenOf(token));
  if (call.access === 'desk' || call.access === 'enrolling') {
    if (call.confirmed) assertRecent(member.confirmedAt, options.clock());
    return;
  }
  if (member.mustAddFactor) throw new DomainError('factor_required');
  if (!call.access.includes(member.role)) throw new DomainError('role_not_permitted');
  if (call.confirmed) assertRecent(member.confirmedAt, options.clock());
}

/**
 * Checks a session again once the whole request has arrived, which can take half a minute. A stolen session that has
 * ended meanwhile could otherwise still make changes.
 * @throws DomainError `unauthenticated`
 */
async function readmit(
  request: FastifyRequest,
  reply: FastifyReply,
  options: StaffRouteOptions,
): Promise<void> {
  const token = sessionCookieOf(request, reply, options).value ?? '';
  if (!(await options.authenticate(token, { touch: false }))) throw new DomainError('unauthenticated');
}

/** Browsers send the origin with every change, and no page can forge it. */
function requireOrigin(request: FastifyRequest, options: StaffRouteOptions): void {
  if (request.headers.origin !== originOf(request, options)) throw new DomainError('not_from_desk');
}

const originOf = (request: FastifyRequest, { origin, isHttps }: StaffRouteOptions) =>
  origin ?? `${isHttps ? 'https' : request.protocol}://${request.host}`;

function requireCsrfToken({ headers }: FastifyRequest, expected: string): void {
  const sent = Buffer.from(String(headers['x-csrf-token'] ?? ''));
  const known = Buffer.from(expected);
  if (sent.length !== known.length || !timingSafeEqual(sent, known)) throw new DomainError('not_from_desk');
}

const sessionCookieOf = (request: FastifyRequest, reply: FastifyReply, { isHttps }: StaffRouteOptions) =>
  cookieOf(request, reply, { name: 'keyturn-staff', isHttps });

const toStaffRequest = (request: FastifyRequest, reply: FastifyReply, options: StaffRouteOptions) => ({
  params: request.params,
  query: request.query,
  body: request.body,
  file: request.body,
  staff: request.signedInStaff,
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? null,
  device: deviceOf(request, reply, { name: 'keyturn-staff-device', isHttps: options.isHttps }),
  session: sessionCookieOf(request, reply, options),
  challenge: cookieOf(request, reply, { name: 'keyturn-staff-challenge', isHttps: options.isHttps }),
  origin: originOf(request, options),
  about: (subject: RequestSubject) => {
    request.subject = { ...request.subject, ...subject };
  },
});

declare module 'fastify' {
  interface FastifyRequest {
    signedInStaff?: SignedInStaff;
  }
}

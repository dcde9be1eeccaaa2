import { timingSafeEqual } from 'node:crypto';
import { bankAccountHeader, type StaffCallDefinition, staffCalls } from '@keyturn/contract/staff';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { assertRecent } from '../../platform/credentials/assert-recent.ts';
import type { SignedInStaff } from '../../platform/credentials/signed-in-staff.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { cookieOf } from '../cookies.ts';
import { deviceOf } from '../device-cookie.ts';
import { allowSlowArrival } from '../limits/limit-arrival.ts';
import { countClient, type RequestLimits } from '../limits/limit-requests.ts';
import { createUploadLimit, type UploadLimit } from '../limits/limit-uploads.ts';
import { type CallAccess, isMutating, nameCaller, registerCalls } from '../register-calls.ts';
import { refuseBankDetails } from './refuse-bank-details.ts';
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

/**
 * Registers a route for every call of the staff API. The cookie of its session opens no route of clients, and no token of
 * a client opens these.
 */
export function staffRoutes(options: StaffRouteOptions) {
  return async (api: FastifyInstance): Promise<void> => {
    const access = staffCallAccess(options);
    const callsWith = (hasUpload: boolean) =>
      Object.fromEntries(
        Object.entries<StaffCallDefinition>(staffCalls).filter(
          ([, { upload }]) => (upload !== undefined) === hasUpload,
        ),
      );
    const handlers = options.handlers as Record<string, StaffCallHandler>;
    // Files are made, or audited, for their download.
    registerCalls(api, callsWith(false), handlers, { access, hasHeadOfFiles: false });
    await api.register(async (files) => {
      registerCalls(files, callsWith(true), handlers, { access, uploads: acceptFiles(files) });
    });
  };
}

type StaffCallHandler = (request: unknown) => Promise<unknown>;

/** Creates the access to the calls of the staff API, by the origin and the session of the desk. */
const staffCallAccess = (options: StaffRouteOptions): CallAccess<StaffCallDefinition, StaffCallHandler> => ({
  admit: async (request, reply, call) => {
    if (isMutating(request)) requireOrigin(request, options);
    if (call.access !== 'desk') await admit(request, reply, { call, options });
  },
  readmit: async (request, reply, call) => {
    if (call.access === 'desk') return;
    const token = sessionCookieOf(request, reply, options).value ?? '';
    if (!(await options.authenticate(token, { touch: false }))) throw new DomainError('unauthenticated');
  },
  handle: async (request, reply, call, handler) => {
    // Every text that a member writes can be read by a client sooner or later.
    if (call.body)
      refuseBankDetails(request.body, { isChecked: request.headers[bankAccountHeader] === 'no' });
    return handler(toStaffRequest(request, reply, options));
  },
  callerOf: (request) => request.signedInStaff?.id,
});

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

/** @throws DomainError `unauthenticated`, or the reason why the session may not make this call */
async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  { call, options }: { call: StaffCallDefinition; options: StaffRouteOptions },
): Promise<void> {
  const token = sessionCookieOf(request, reply, options).value;
  // Background requests of an open page do not keep a session alive.
  const touch = request.headers['x-activity'] !== 'background';
  const member = token === null ? null : await options.authenticate(token, { touch });
  if (token === null || !member) throw new DomainError('unauthenticated');
  request.signedInStaff = member;
  if (options.limits) await countClient(options.limits, request, member.id);
  if (isMutating(request)) requireCsrfToken(request, options.csrfTokenOf(token));
  if (call.access === 'desk' || call.access === 'enrolling') {
    if (call.confirmed) assertRecent(member.confirmedAt, options.clock());
    return;
  }
  if (member.mustAddFactor) throw new DomainError('factor_required');
  if (!call.access.includes(member.role)) throw new DomainError('role_not_permitted');
  if (call.confirmed) assertRecent(member.confirmedAt, options.clock());
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
  about: nameCaller(request),
});

declare module 'fastify' {
  interface FastifyRequest {
    signedInStaff?: SignedInStaff;
  }
}

import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { RequestSpan, Tracer } from '../platform/tracing/spans.ts';
import { methodOf, patternOf } from './log-requests.ts';
import { policyOf } from './route-policy.ts';

export interface TraceRequestsOptions {
  tracer: Tracer;
  /** Whether a proxy sets `traceparent`; otherwise that of a client is ignored. */
  hasProxy: boolean;
}

/** Records a span for each request, named after its route. Registered before the log, whose lines get the id of the trace. */
export const traceRequests = fp(async (app: FastifyInstance, { tracer, hasProxy }: TraceRequestsOptions) => {
  app.addHook('onRequest', (request, _reply, next) => {
    if (policyOf(request).log === 'nothing') return next();
    const { traceparent } = request.headers;
    const span = tracer.startRequest({
      method: methodOf(request),
      requestId: request.id,
      traceparent: hasProxy && typeof traceparent === 'string' ? traceparent : undefined,
    });
    request.span = span;
    span.within(next);
  });
  // Parsing the body leaves the context of the span, so this hook enters it again.
  app.addHook('preValidation', (request, _reply, next) => {
    if (request.span) request.span.within(next);
    else next();
  });
  app.addHook('onResponse', (request, reply, next) => {
    if (!request.span) return next();
    request.span.end({ route: patternOf(request), status: reply.statusCode });
    request.span.within(next);
  });
});

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of this request, if it is traced. */
    span?: RequestSpan;
  }
}

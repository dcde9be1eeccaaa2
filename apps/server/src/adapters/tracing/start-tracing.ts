import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type Sampler,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { DomainError } from '../../platform/domain-error.ts';
import type { SpanFacts, Tracer } from '../../platform/tracing/spans.ts';
import { createSampler, type SamplerChoice } from './create-sampler.ts';

export interface TracingOptions {
  /** Where traces are sent, such as `http://collector:4318/v1/traces`. */
  url: string;
  headers: Record<string, string>;
  /** Attributes of this server, such as `service.name`. */
  resource: Record<string, string>;
  sampler: SamplerChoice;
  /** Called with the reason of the first of several consecutive failures to send. */
  onUnreachable(reason: string): void;
}

export interface StartedTracing {
  tracer: Tracer;
  /** Sends all finished spans, for at most a few seconds. */
  flush(): Promise<void>;
  /** Sends all finished spans, for at most a few seconds, and stops. */
  stop(): Promise<void>;
}

/**
 * Starts to send traces to a collector (OTLP over HTTP, as JSON). Spans wait in a queue of limited length; when it is
 * full, further ones are dropped.
 */
export function startTracing(options: TracingOptions): StartedTracing {
  const exporter = new OTLPTraceExporter({
    url: options.url,
    headers: options.headers,
    timeoutMillis: 5_000,
  });
  const processor = new BatchSpanProcessor({
    exporter: reportingFailures(exporter, options.onUnreachable),
    maxQueueSize: maxWaitingSpans,
    scheduledDelayMillis: 2_000,
    exportTimeoutMillis: 10_000,
  });
  const sampler: Sampler = createSampler(options.sampler);
  const provider = new TracerProvider({
    resource: resourceFromAttributes(options.resource),
    sampler,
    spanProcessors: [processor],
  });
  const finish = (work: Promise<void>) => Promise.race([work.catch(() => {}), pause(flushLimit)]);
  return {
    tracer: createTracer(provider),
    flush: async () => void (await finish(processor.forceFlush())),
    stop: async () => void (await finish(provider.shutdown())),
  };
}

const maxWaitingSpans = 4_096;
/** Milliseconds. */
const flushLimit = 3_000;

/** Reports the first of consecutive failures. */
function reportingFailures(exporter: SpanExporter, onUnreachable: (reason: string) => void): SpanExporter {
  let hasFailed = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed && !hasFailed) onUnreachable(result.error?.message ?? 'no reason');
        hasFailed = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

const kinds: Record<SpanFacts['kind'], SpanKind> = {
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

function createTracer(provider: TracerProvider): Tracer {
  const otel = provider.getTracer('keyturn');
  const active = new AsyncLocalStorage<Span>();
  const contextOf = (parent: Span | undefined) =>
    parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
  return {
    run: ({ name, kind, attributes = {}, needsParent = false }, work) => {
      const parent = active.getStore();
      if (needsParent && !parent) return work();
      const span = otel.startSpan(name, { kind: kinds[kind], attributes }, contextOf(parent));
      return endWith(span, () => active.run(span, work));
    },
    startRequest: ({ method, requestId, traceparent }) => {
      const remote = parseTraceparent(traceparent);
      const parent = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
      const attributes = { 'http.request.method': method, 'keyturn.request_id': requestId };
      const span = otel.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
      return {
        within: (work) => active.run(span, work),
        end: ({ route, status }) => {
          span.updateName(`${method} ${route}`);
          span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    current: () => {
      const context = active.getStore()?.spanContext();
      if (!context) return null;
      const { traceId, spanId, traceFlags } = context;
      return { traceId, traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}` };
    },
  };
}

/** Ends a span with the work. The message of an error may contain personal data, so only its kind is recorded. */
function endWith<Result>(span: Span, work: () => Result): Result {
  const fail = (error: unknown) => {
    span.setAttribute('error.type', error instanceof DomainError ? error.code : nameOf(error));
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  try {
    const result = work();
    if (!(result instanceof Promise)) {
      span.end();
      return result;
    }
    result.then(() => span.end(), fail);
    return result;
  } catch (error) {
    fail(error);
    throw error;
  }
}

const nameOf = (error: unknown) => (error instanceof Error ? error.constructor.name : 'unknown');

/** @returns null for a header that is missing or not valid */
function parseTraceparent(header: string | undefined): SpanContext | null {
  const [, traceId, spanId, flags] = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(header ?? '') ?? [];
  if (!traceId || !spanId || !flags || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

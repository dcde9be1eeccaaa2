/** The name and attributes of a span: texts from the code and counts, never personal data. */
export interface SpanFacts {
  name: string;
  kind: 'client' | 'consumer' | 'internal';
  attributes?: Record<string, string | number>;
  /** Whether the work is traced only as part of other work, because it is also done many times on its own. */
  needsParent?: boolean;
}

/** The span of an HTTP request. */
export interface RequestSpan {
  /** Runs work whose spans belong to the request. */
  within<Result>(work: () => Result): Result;
  /** @param answered.route the pattern, and never the path */
  end(answered: { route: string; status: number }): void;
}

export interface Tracer {
  run<Result>(facts: SpanFacts, work: () => Result): Result;
  /** @param traceparent the header of a proxy that has started the trace */
  startRequest(facts: { method: string; requestId: string; traceparent: string | undefined }): RequestSpan;
  /** Returns the ids of the current span; null outside of a trace. */
  current(): { traceId: string; traceparent: string } | null;
}

let tracer: Tracer | null = null;

/** Lets `inSpan` record spans. Without it, which is the default, tracing costs nothing. @returns a function that ends it */
export function setTracer(started: Tracer): () => void {
  tracer = started;
  return () => {
    if (tracer === started) tracer = null;
  };
}

/** Runs work in a span. The span ends with the work, or when the promise that it returns settles. */
export const inSpan = <Result>(facts: SpanFacts, work: () => Result): Result =>
  tracer === null ? work() : tracer.run(facts, work);

/** Returns the id of the current trace, for the log; null outside of a trace. */
export const currentTraceId = (): string | null => tracer?.current()?.traceId ?? null;

/** Returns the header that lets a receiver continue the trace; none outside of a trace. It contains random ids only. */
export const traceHeaders = (): { traceparent?: string } => {
  const current = tracer?.current();
  return current ? { traceparent: current.traceparent } : {};
};

/** Describes a statement of PostgreSQL by its name. */
export const statementSpan = (name: string): SpanFacts => ({
  name,
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql', 'db.query.summary': name },
  needsParent: true,
});

/** Wraps an object so that each call of a method is a span named after it. */
export function withSpans<Target extends object>(target: Target, name: string): Target {
  return new Proxy(target, {
    get: (object, key) => {
      const value: unknown = Reflect.get(object, key);
      if (typeof value !== 'function') return value;
      const facts: SpanFacts = { name: `${name} ${String(key)}`, kind: 'client' };
      return (...values: unknown[]) => inSpan(facts, () => Reflect.apply(value, object, values));
    },
  });
}

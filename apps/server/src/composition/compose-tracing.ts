import { hostAndPort } from '../platform/describe-error.ts';
import { setTracer, type Tracer } from '../platform/tracing/spans.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { ServerReference } from './server-reference.ts';

export interface ComposedTracing {
  tracer: Tracer;
  /** Sends all finished spans, for at most a few seconds. */
  flush(): Promise<void>;
  /** Sends all finished spans, for at most a few seconds, and stops. */
  stop(): Promise<void>;
}

/** Starts tracing if a collector is set; otherwise its packages are not loaded. */
export async function composeTracing(
  { settings: { tracing, environment }, version }: { settings: Settings; version: string },
  reference: ServerReference,
): Promise<ComposedTracing | null> {
  if (tracing === null) return null;
  const { startTracing } = await import('../adapters/tracing/start-tracing.ts');
  const collector = hostAndPort(tracing.url);
  const started = startTracing({
    ...tracing,
    resource: { 'service.version': version, 'deployment.environment.name': environment, ...tracing.resource },
    onUnreachable: (reason) =>
      reference.warn(
        `traces cannot be sent to the collector at ${collector}; they are dropped until it answers`,
        new Error(reason),
      ),
  });
  const stopUsing = setTracer(started.tracer);
  return {
    ...started,
    stop: async () => {
      stopUsing();
      await started.stop();
    },
  };
}

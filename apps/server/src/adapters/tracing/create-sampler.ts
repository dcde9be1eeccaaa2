import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

export interface SamplerChoice {
  /** A name of `OTEL_TRACES_SAMPLER`. */
  name: string;
  /** The share of traces that a sampler with `traceidratio` records, from 0 to 1. */
  ratio: number;
}

/** Creates the sampler that decides which traces are recorded. */
export function createSampler({ name, ratio }: SamplerChoice): Sampler {
  const root = createRoot(name.replace('parentbased_', ''), ratio);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function createRoot(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}

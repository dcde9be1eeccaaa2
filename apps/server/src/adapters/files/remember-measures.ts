/** The length and SHA-256 of a stored file, up to the requested length. */
export interface Measure {
  size: number;
  sha256: string;
}

interface Remembered {
  state: string;
  until: number;
  found: Measure;
}

/** Milliseconds for which the measure of an unchanged file is remembered, so that ranges of it are read alone. */
const memory = 60_000;
const maxFiles = 1_000;

/** Remembers what files were when they were measured. A state changes whenever the file does. */
export function rememberMeasures() {
  const remembered = new Map<string, Remembered>();
  return {
    /** Returns the measure of a file that is remembered with this state. */
    find: (file: string, state: string): Measure | null => {
      const known = remembered.get(file);
      return known?.state === state && known.until > performance.now() ? known.found : null;
    },
    has: (file: string): boolean => remembered.has(file),
    add: (file: string, state: string, found: Measure): Measure => {
      const now = performance.now();
      for (const [oldest, { until }] of remembered) {
        if (until > now && remembered.size < maxFiles) break;
        remembered.delete(oldest);
      }
      remembered.delete(file);
      remembered.set(file, { state, until: now + memory, found });
      return found;
    },
  };
}

export type RememberedMeasures = ReturnType<typeof rememberMeasures>;

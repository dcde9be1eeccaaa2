import { build } from '../../scripts/set-up.mjs';

/** Vitest's global set-up for browser tests: they run against the built product, never against sources. */
export default function buildProduct() {
  build();
}

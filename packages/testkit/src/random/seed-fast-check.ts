import fc from 'fast-check';
import { runSeed } from './run-seed.ts';

// Vitest loads this before each file of unit tests.
fc.configureGlobal({ seed: runSeed });

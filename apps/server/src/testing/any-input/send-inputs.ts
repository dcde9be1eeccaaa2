import fc from 'fast-check';
import { type InputKind, planOf, repeatCommand } from './input-plan.ts';

/**
 * Sends inputs one after another until one has faults, and finds a smaller one with faults.
 * @param options.send sends an input; returns its faults
 * @param options.tests the number of tests that share the inputs of this kind
 * @throws Error with the faults, the input, and the command that repeats it
 */
export async function sendInputs<Input>(
  inputs: fc.Arbitrary<Input>,
  { kind, tests, send }: { kind: InputKind; tests?: number; send(input: Input): Promise<string[]> },
): Promise<void> {
  const property = fc.asyncProperty(inputs, async (input) => {
    const faults = await send(input);
    if (faults.length > 0) throw new Error(faults.join('\n'));
  });
  const { failed, counterexample, errorInstance, numShrinks } = await fc.check(property, planOf(kind, tests));
  if (!failed) return;
  const reason = errorInstance instanceof Error ? errorInstance.message : 'the inputs were interrupted';
  throw new Error(
    `${reason}\nInput (made smaller ${numShrinks} times): ${fc.stringify(counterexample).slice(0, maxShown)}\n` +
      `Repeat: ${repeatCommand()}`,
  );
}

/** Characters. */
const maxShown = 4_000;

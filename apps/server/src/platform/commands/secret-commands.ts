import type { Command } from 'commander';
import { DomainError } from '../domain-error.ts';
import { parseHours } from './parse-options.ts';

/** The replacement of the secret of a feed key or a webhook endpoint. */
export interface RotateCommand {
  name: 'rotate';
  id: string;
  overlapHours: number;
}

/** Completes a command that names a key or an endpoint, so that it replaces the secret. */
export const rotateWith = (command: Command, run: (parsed: RotateCommand) => Promise<void>): Command =>
  command
    .option('--overlap <hours>', 'how long the previous secret still works', parseHours, 24)
    .action((id: string, { overlap }: { overlap: number }) =>
      run({ name: 'rotate', id, overlapHours: overlap }),
    );

export function printSecret(secret: string, print: (line: string) => void): void {
  print(`Secret ${secret}`);
  print('Copy it now: it cannot be shown again.');
}

/**
 * Replaces a secret with the given function, and prints the new one.
 * @param overlapText says what the previous secret is still good for, for example for “24 hours”
 */
export async function printRotated(
  { id, overlapHours: hours }: RotateCommand,
  {
    rotate,
    overlapText,
    print,
  }: {
    rotate: (request: { id: string; overlap: number }) => Promise<string>;
    overlapText: (duration: string) => string;
    print: (line: string) => void;
  },
): Promise<void> {
  printSecret(await rotate({ id, overlap: hours * 3_600_000 }), print);
  if (hours === 0) print('The previous secret no longer works.');
  else print(overlapText(hours === 1 ? '1 hour' : `${hours} hours`));
}

/**
 * Runs a command on keys or endpoints, and prints why it was not possible.
 * @param noun what the id in the command names
 * @returns the exit code: 1 if it was not possible
 */
export async function printDomainErrors(
  noun: 'key' | 'endpoint',
  print: (line: string) => void,
  run: () => Promise<0 | 1>,
): Promise<0 | 1> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    print(error.code === 'not_found' ? `No ${noun} has this id.` : error.message);
    return 1;
  }
}

import { exec } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { applyStep } from './apply-step.ts';
import { copyProject } from './copy-project.ts';
import { readGuide } from './read-guide.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/guides');
const guides = readdirSync(folder).filter((name) => name !== 'README.md');
const stepsOf = (guide: string) => readGuide(readFileSync(join(folder, guide), 'utf8'));
const unitTests = 'npx vitest run --project unit ';

test('the guide to a field changes at most eight files', () => {
  const files = stepsOf('add-a-field.md').flatMap((step) => (step.does === 'run' ? [] : [step.file]));
  expect(new Set(files).size).toBeLessThanOrEqual(8);
});

test('the changes of all guides together pass the commands that the guides name', {
  timeout: 1_200_000,
}, async () => {
  const copy = copyProject(root);
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  const commands: string[] = [];
  for (const step of guides.flatMap(stepsOf)) {
    if (step.does === 'run') commands.push(...step.commands.trim().split('\n'));
    else applyStep(step, copy);
  }
  // Vitest starts only once for all guides.
  const tests = commands.flatMap((command) =>
    command.startsWith(unitTests) ? [command.slice(unitTests.length)] : [],
  );
  const others = commands.filter((command) => !command.startsWith(unitTests));
  expect(tests.length).toBeGreaterThan(0);
  for (const command of new Set([...others, unitTests + tests.join(' ')])) await runIn(copy, command);
});

/** @throws with the output of a command that fails */
async function runIn(copy: string, command: string): Promise<void> {
  // The command is no worker of Vitest, whose variables would change what it does.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST.*|NODE_ENV|TEST|NODE_OPTIONS)$/.test(name)),
  );
  await promisify(exec)(command, { cwd: copy, env, maxBuffer: 1e8 }).catch(
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`“${command}” failed:\n${stdout}\n${stderr}`);
    },
  );
}

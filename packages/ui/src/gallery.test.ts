import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

/** Components that others contain, with the sample that shows them. */
const shownInOthers = ['factors/authenticator-secret.tsx', 'factors/qr-code.tsx'];

test('the gallery shows every component of the package', () => {
  const samplesFolder = join(import.meta.dirname, '../gallery/samples');
  const samples = readdirSync(samplesFolder)
    .map((file) => readFileSync(join(samplesFolder, file), 'utf8'))
    .join('\n');
  const components = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /(?<!\.test)\.tsx$/.test(file) && !shownInOthers.includes(file));
  expect(components.map((file) => basename(file))).toContain('button.tsx');
  expect(components.filter((file) => !samples.includes(`'../../src/${file}'`))).toEqual([]);
});

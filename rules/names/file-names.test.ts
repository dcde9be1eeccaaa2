import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const server = 'apps/server/src/';

const definesJob =
  /import (?:type )?\{[^}]*\b(?:defineJob|JobHandler)\b[^}]*\} from '[^']*\/platform\/jobs\.ts'/;
const writesMail = /\bparagraphs: /;

/** Explains what the name of a file of the server does not say; null if it says what the file contains. */
function findMisnaming(file: string, text: string): string | null {
  const name = basename(file);
  if (writesMail.test(text) && !/-mail\.ts$/.test(name)) return `${file} writes an email: name it *-mail.ts`;
  if (definesJob.test(text) && !/-(?:job|mail)\.ts$/.test(name)) return `${file} has a job: name it *-job.ts`;
  return null;
}

/** These run jobs, define what a job or an email is, or list all jobs. */
const machinery = /\/(?:adapters|composition|platform|testing)\/|\.test\.ts$/;

/** Files of payments that are named by the action or the subject of their job. */
const named = ['fetch-balance', 'payment-mails', 'send-link', 'sync-refunds'].map((name) => `${name}.ts`);

test('a file with a background job is named *-job.ts, and one with the text of an email *-mail.ts', () => {
  const files = execFileSync('git', ['ls-files', `${server}*.ts`], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && !machinery.test(file) && !named.includes(basename(file)));
  expect(files.flatMap((file) => findMisnaming(file, readFileSync(join(root, file), 'utf8')) ?? [])).toEqual(
    [],
  );
});

test('the rule of names reports a job and an email in files with other names', () => {
  const job = "import { defineJob } from '../../platform/jobs.ts';\n";
  const mail = `${job}const reminder = { subject: 'Reminder', paragraphs: ['Hello'] };\n`;
  const misnamed = (file: string, text: string) => findMisnaming(`${server}case-file/tasks/${file}`, text);
  expect(misnamed('remind-of-tasks.ts', job)).toContain('name it *-job.ts');
  expect(misnamed('remind-of-tasks-job.ts', job)).toBeNull();
  expect(misnamed('remind-of-tasks-job.ts', mail)).toContain('name it *-mail.ts');
  expect(misnamed('reminder-mail.ts', mail)).toBeNull();
});

/** The files that define calls, and those that answer them: a call is found on both sides under one name. */
const contracts = { client: 'packages/contract/src/calls/', staff: 'packages/contract/src/staff/' };

/** Explains which files of calls have no file of routes of the same name, and the other way round. */
function findUnpaired(files: readonly string[]): string[] {
  return (['client', 'staff'] as const).flatMap((caller) => {
    const stems = (folder: string, end: RegExp) =>
      new Map(
        files
          .filter((file) => file.startsWith(folder) && end.test(file))
          .map((file) => [basename(file).replace(end, ''), file]),
      );
    const calls = stems(contracts[caller], /-calls\.ts$/);
    const routes = stems(`${server}doors/${caller}/`, /-routes\.ts$/);
    // It collects the others.
    calls.delete('staff');
    return [
      ...[...calls].filter(([stem]) => !routes.has(stem)),
      ...[...routes].filter(([stem]) => !calls.has(stem)),
    ].map(([, file]) => `${file} has no counterpart of its name`);
  });
}

test('each file of calls in the contract has a file of routes of the same name in its door, and the other way round', () => {
  const files = execFileSync('git', ['ls-files', 'packages/contract/src', `${server}doors`], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(findUnpaired(files.split('\n'))).toEqual([]);
});

test('the rule of names reports calls and routes of different names', () => {
  const files = [
    `${contracts.client}message-calls.ts`,
    `${server}doors/client/messages-routes.ts`,
    `${contracts.staff}case-calls.ts`,
    `${server}doors/staff/case-routes.ts`,
  ];
  expect(findUnpaired(files)).toEqual([
    `${contracts.client}message-calls.ts has no counterpart of its name`,
    `${server}doors/client/messages-routes.ts has no counterpart of its name`,
  ]);
});

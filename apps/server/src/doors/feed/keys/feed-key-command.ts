import type { FeedList } from '@keyturn/contract';
import { feedKinds } from '@keyturn/contract/staff';
import { type Command, InvalidArgumentError } from 'commander';
import { commandLineActor } from '../../../platform/audit/record-audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import { createCommand } from '../../../platform/commands/create-command.ts';
import { parseStartOfDay } from '../../../platform/commands/parse-day.ts';
import { parseChoices, parseName } from '../../../platform/commands/parse-options.ts';
import {
  printDomainErrors,
  printRotated,
  printSecret,
  type RotateCommand,
  rotateWith,
} from '../../../platform/commands/secret-commands.ts';
import type { FeedScope } from '../../../schema/tables/feed-key-tables.ts';
import {
  createFeedKey,
  type FeedKeyDependencies,
  type ListedFeedKey,
  listFeedKeys,
  revokeFeedKey,
  rotateFeedKey,
} from './feed-keys.ts';

export type FeedKeyCommand =
  | { name: 'create'; keyName: string; scopes: FeedScope[]; expiresAt: Date | null }
  | { name: 'list' }
  | RotateCommand
  | { name: 'revoke'; id: string };

interface CreateOptions {
  write?: FeedList[];
  read?: (FeedList | 'changes')[];
  expires?: Date;
}

/** Defines `keyturn key`. */
export function feedKeyCommand(clock: Clock, run: (parsed: FeedKeyCommand) => Promise<void>): Command {
  const lists = feedKinds.join(', ');
  const create = createCommand('create')
    .description('Create a key for the case feed over HTTP, and print its secret once.')
    .argument('<name>', 'the system that uses it, such as "Case management"', parseName)
    .option(
      '--write <kinds>',
      `the kinds of records that it may create, change and withdraw: all, or some of ${lists}, and payouts, which all does not include`,
      (text) => (text === 'all' ? [...feedKinds] : parseChoices(text, [...feedKinds, 'payouts' as const])),
    )
    .option(
      '--read <kinds>',
      `the kinds of records that it may read: all, or some of ${lists}, and changes for payments, signatures and other events`,
      (text) => parseChoices(text, [...feedKinds, 'changes' as const]),
    )
    .option('--expires <day>', 'the first day on which it no longer works (UTC)', (text) =>
      parseExpiry(text, clock()),
    )
    .action((keyName: string, options: CreateOptions, command: Command) => {
      const { write = [], read = [], expires = null } = options;
      const scopes: FeedScope[] = [
        ...write.map((kind): FeedScope => `${kind}:write`),
        ...read.map((kind): FeedScope => `${kind}:read`),
      ];
      if (scopes.length === 0) command.error('error: a key needs --write, --read or both');
      return run({ name: 'create', keyName, scopes, expiresAt: expires });
    });
  const list = createCommand('list')
    .description('Show all keys, without their secrets.')
    .action(() => run({ name: 'list' }));
  const withKey = (name: string, description: string) =>
    createCommand(name).description(description).argument('<key>', 'the id of the key');
  const rotate = withKey(
    'rotate',
    'Replace the secret of a key, and print the new one once. The previous one works during the overlap.',
  );
  const revoke = withKey('revoke', 'Revoke a key at once, with all its secrets.').action((id: string) =>
    run({ name: 'revoke', id }),
  );
  return createCommand('key')
    .description('Manage the keys with which your systems call the case feed over HTTP.')
    .addCommand(create)
    .addCommand(list)
    .addCommand(rotateWith(rotate, run))
    .addCommand(revoke);
}

function parseExpiry(text: string, now: Date): Date {
  const day = parseStartOfDay(text);
  if (day <= now) throw new InvalidArgumentError('It must be a day in the future.');
  return day;
}

/**
 * Runs `keyturn key`.
 * @returns the exit code: 0 done, 1 not possible
 */
export function runFeedKeyCommand(
  dependencies: FeedKeyDependencies,
  command: FeedKeyCommand,
  print: (line: string) => void,
): Promise<0 | 1> {
  const actor = commandLineActor();
  return printDomainErrors('key', print, async () => {
    switch (command.name) {
      case 'create': {
        const { keyName: name, scopes, expiresAt } = command;
        const { id, secret } = await createFeedKey(dependencies, { name, scopes, expiresAt, actor });
        print(`Key ${id}`);
        printSecret(secret, print);
        return 0;
      }
      case 'rotate':
        await printRotated(command, {
          rotate: (request) => rotateFeedKey(dependencies, { ...request, actor }),
          overlapText: (duration) => `The previous secret still works for ${duration}.`,
          print,
        });
        return 0;
      case 'revoke':
        await revokeFeedKey(dependencies, { id: command.id, actor });
        print('The key is revoked.');
        return 0;
      case 'list': {
        const keys = await listFeedKeys(dependencies);
        for (const key of keys) print(describeKey(key, dependencies.clock()));
        if (keys.length === 0) print('There are no keys.');
        return 0;
      }
    }
  });
}

function describeKey(key: ListedFeedKey, now: Date): string {
  const { id, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt } = key;
  const dayOf = (instant: Date) => instant.toISOString().slice(0, 10);
  const isExpired = expiresAt !== null && expiresAt <= now;
  const state = revokedAt
    ? `revoked on ${dayOf(revokedAt)}`
    : expiresAt
      ? `${isExpired ? 'expired' : 'expires'} on ${dayOf(expiresAt)}`
      : 'active';
  const used = lastUsedAt ? `last used ${lastUsedAt.toISOString()}` : 'never used';
  return `${id}  ${JSON.stringify(name)}  ${state}, created on ${dayOf(createdAt)}, ${used}  ${scopes.join(' ')}`;
}

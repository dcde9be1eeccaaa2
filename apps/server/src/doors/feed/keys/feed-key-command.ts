import type { FeedList } from '@keyturn/contract';
import { feedKinds } from '@keyturn/contract/staff';
import { type Command, InvalidArgumentError } from 'commander';
import { commandLineActor } from '../../../platform/audit/record-audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import { createCommand } from '../../../platform/commands/create-command.ts';
import { parseStartOfDay } from '../../../platform/commands/parse-day.ts';
import { parseChoices, parseHours, parseName } from '../../../platform/commands/parse-options.ts';
import { DomainError } from '../../../platform/domain-error.ts';
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
  | { name: 'rotate'; id: string; overlapHours: number }
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
      `the kinds of records that it may create, change and withdraw: all, or some of ${lists}`,
      (text) => parseChoices(text, feedKinds),
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
  const rotate = createCommand('rotate')
    .description(
      'Replace the secret of a key, and print the new one once. The previous one works during the overlap.',
    )
    .argument('<key>', 'the id of the key')
    .option('--overlap <hours>', 'how long the previous secret still works', parseHours, 24)
    .action((id: string, { overlap }) => run({ name: 'rotate', id, overlapHours: overlap }));
  const revoke = createCommand('revoke')
    .description('Revoke a key at once, with all its secrets.')
    .argument('<key>', 'the id of the key')
    .action((id: string) => run({ name: 'revoke', id }));
  return createCommand('key')
    .description('Manage the keys with which your systems call the case feed over HTTP.')
    .addCommand(create)
    .addCommand(list)
    .addCommand(rotate)
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
export async function runFeedKeyCommand(
  dependencies: FeedKeyDependencies,
  command: FeedKeyCommand,
  print: (line: string) => void,
): Promise<0 | 1> {
  const actor = commandLineActor();
  try {
    switch (command.name) {
      case 'create': {
        const { keyName: name, scopes, expiresAt } = command;
        const { id, secret } = await createFeedKey(dependencies, { name, scopes, expiresAt, actor });
        print(`Key ${id}`);
        printSecret(secret, print);
        return 0;
      }
      case 'rotate': {
        const overlap = command.overlapHours * 3_600_000;
        printSecret(await rotateFeedKey(dependencies, { id: command.id, overlap, actor }), print);
        print(describeOverlap(command.overlapHours));
        return 0;
      }
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
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    print(error.code === 'not_found' ? 'No key has this id.' : error.message);
    return 1;
  }
}

function describeOverlap(hours: number): string {
  if (hours === 0) return 'The previous secret no longer works.';
  return `The previous secret works for ${hours === 1 ? '1 more hour' : `${hours} more hours`}.`;
}

function printSecret(secret: string, print: (line: string) => void): void {
  print(`Secret ${secret}`);
  print('Copy it now: it is not stored and cannot be shown again.');
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

import { type WebhookEventType, webhookEventTypes } from '@keyturn/contract/staff';
import { type Command, InvalidArgumentError } from 'commander';
import { commandLineActor } from '../../platform/audit/record-audit.ts';
import { createCommand } from '../../platform/commands/create-command.ts';
import { parseChoices, parseName } from '../../platform/commands/parse-options.ts';
import {
  printDomainErrors,
  printRotated,
  printSecret,
  type RotateCommand,
  rotateWith,
} from '../../platform/commands/secret-commands.ts';
import type { WebhookTargetRules } from '../../platform/webhook-target-rules.ts';
import { type LoggedDelivery, listDeliveries, resendEvents } from './delivery-log.ts';
import {
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  type EndpointDependencies,
  enableEndpoint,
  findEndpoint,
  listEndpoints,
  rotateSecret,
} from './endpoints.ts';
import type { SendMessage } from './ports.ts';
import { sendTestMessage } from './send-test-message.ts';

export type WebhookCommand =
  | { name: 'create'; url: string; description: string; eventTypes: WebhookEventType[] | null }
  | { name: 'list' }
  | { name: 'enable' | 'disable' | 'delete' | 'test'; id: string }
  | RotateCommand
  | { name: 'deliveries'; id: string; isDead: boolean; limit: number }
  | { name: 'resend'; id: string; eventId: string | null };

/** Defines `keyturn webhook`. */
export function webhookCommand(run: (parsed: WebhookCommand) => Promise<void>): Command {
  const simple = (name: 'enable' | 'disable' | 'delete' | 'test', description: string) =>
    withEndpoint(name, description).action((id: string) => run({ name, id }));
  const create = createCommand('create')
    .description(
      'Create an endpoint of your systems, and print the secret that its messages are signed with.',
    )
    .argument('<url>', 'the address that messages are sent to')
    .requiredOption(
      '--description <text>',
      'the system that receives the messages, such as "Case management"',
      parseName,
    )
    .requiredOption(
      '--events <types>',
      `the events that it is notified about: all, with types that later versions add, or some of ${webhookEventTypes.join(', ')}`,
      parseEventTypes,
    )
    .action(
      (url: string, { description, events }: { description: string; events: WebhookEventType[] | 'all' }) =>
        run({ name: 'create', url, description, eventTypes: events === 'all' ? null : events }),
    );
  const list = createCommand('list')
    .description(
      'Show all endpoints, each with its numbers of pending events, retried events and dead letters.',
    )
    .action(() => run({ name: 'list' }));
  const rotate = withEndpoint(
    'rotate',
    'Replace the secret of an endpoint. Messages are signed with both secrets during the overlap.',
  );
  const deliveries = withEndpoint('deliveries', 'Show the newest events of an endpoint, with every attempt.')
    .option('--dead', 'only dead letters: events that could not be delivered')
    .option('--limit <number>', 'how many events', parsePositive, 20)
    .action((id: string, { dead = false, limit }) => run({ name: 'deliveries', id, isDead: dead, limit }));
  const resend = withEndpoint('resend', 'Send an event again with the same id, or all dead letters.')
    .argument('[event]', 'the id of an event; without it, all dead letters are sent', parseEventId)
    .action((id: string, eventId: string | undefined) =>
      run({ name: 'resend', id, eventId: eventId ?? null }),
    );
  return createCommand('webhook')
    .description('Manage the endpoints of your systems that are notified about what clients do.')
    .addCommand(create)
    .addCommand(list)
    .addCommand(simple('test', 'Send a test message now, and print the answer.'))
    .addCommand(deliveries)
    .addCommand(resend)
    .addCommand(rotateWith(rotate, run))
    .addCommand(
      simple(
        'disable',
        'Disable an endpoint. Waiting events are kept; events that happen while it is disabled are not.',
      ),
    )
    .addCommand(simple('enable', 'Enable an endpoint again. Its waiting events are sent first.'))
    .addCommand(simple('delete', 'Delete an endpoint. Its waiting events are never sent.'));
}

const withEndpoint = (name: string, description: string) =>
  createCommand(name).description(description).argument('<endpoint>', 'the id of the endpoint');

function parsePositive(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 1 to 9999.');
  return Number(text);
}

/** `all` includes the types that later versions add. */
const parseEventTypes = (text: string) => (text === 'all' ? text : parseChoices(text, webhookEventTypes));

function parseEventId(text: string): string {
  if (!/^evt_[\da-f]{32}$/.test(text)) throw new InvalidArgumentError('It must be an id such as evt_0c4f….');
  return text;
}

export interface WebhookDependencies extends EndpointDependencies {
  rules: WebhookTargetRules;
  send: SendMessage;
}

/**
 * Runs `keyturn webhook`.
 * @returns the exit code: 0 done, 1 not possible, or the test message was not accepted
 */
export const runWebhookCommand = (
  dependencies: WebhookDependencies,
  command: WebhookCommand,
  print: (line: string) => void,
): Promise<0 | 1> => printDomainErrors('endpoint', print, () => runParsed(dependencies, command, print));

async function runParsed(
  dependencies: WebhookDependencies,
  command: WebhookCommand,
  print: (line: string) => void,
): Promise<0 | 1> {
  const actor = commandLineActor();
  switch (command.name) {
    case 'create': {
      const { id, secret } = await createEndpoint(dependencies, { ...command, actor });
      print(`Endpoint ${id}`);
      printSecret(secret, print);
      return 0;
    }
    case 'list': {
      const endpoints = await listEndpoints(dependencies.database);
      for (const endpoint of endpoints) print(describeEndpoint(endpoint));
      if (endpoints.length === 0) print('There are no endpoints.');
      return 0;
    }
    case 'test':
      return printTest(dependencies, { id: command.id, actor }, print);
    case 'enable':
      await enableEndpoint(dependencies, { id: command.id, actor });
      print('The endpoint is enabled.');
      return 0;
    case 'disable':
      await disableEndpoint(dependencies, { id: command.id, actor });
      print('The endpoint is disabled.');
      return 0;
    case 'delete':
      await deleteEndpoint(dependencies, { id: command.id, actor });
      print('The endpoint is deleted.');
      return 0;
    case 'rotate':
      await printRotated(command, {
        rotate: (request) => rotateSecret(dependencies, { ...request, actor }),
        overlapText: (duration) => `Messages are also signed with the previous secret for ${duration}.`,
        print,
      });
      return 0;
    case 'deliveries': {
      const { id: endpointId } = await findEndpoint(dependencies, command.id);
      const found = await listDeliveries(dependencies.database, { ...command, endpointId, before: null });
      for (const logged of found) printDelivery(logged, print);
      if (found.length === 0)
        print(command.isDead ? 'There are no dead letters.' : 'There are no deliveries.');
      return 0;
    }
    case 'resend': {
      const { id: endpointId, eventId } = command;
      const count = await resendEvents(dependencies, { endpointId, eventId, actor });
      print(describeResent(count));
      return 0;
    }
  }
}

async function printTest(
  dependencies: WebhookDependencies,
  request: Parameters<typeof sendTestMessage>[1],
  print: (line: string) => void,
): Promise<0 | 1> {
  const { status, error } = await sendTestMessage(dependencies, request);
  print(status === null ? `No answer: ${error}` : `The endpoint answered ${status}.`);
  return status !== null && status >= 200 && status < 300 ? 0 : 1;
}

function describeResent(count: number): string {
  if (count === 0) return 'There are no dead letters.';
  return count === 1 ? '1 event will be sent again.' : `${count} events will be sent again.`;
}

function describeEndpoint(endpoint: Awaited<ReturnType<typeof listEndpoints>>[number]): string {
  const { id, url, description, state, isGone, pending, retrying, dead, eventTypes } = endpoint;
  return [
    id,
    JSON.stringify(description),
    isGone ? `${state} after it answered 410` : state,
    `${pending} pending, ${retrying} retrying, ${dead} dead`,
    url,
    eventTypes?.join(' ') ?? 'all',
  ].join('  ');
}

function printDelivery({ event, delivery, attempts }: LoggedDelivery, print: (line: string) => void): void {
  const data = JSON.stringify(event.data);
  print(`${event.id}  ${event.type}  ${event.occurredAt.toISOString()}  ${delivery.state}  ${data}`);
  for (const { startedAt, milliseconds, status, error } of attempts)
    print(`  ${startedAt.toISOString()}  ${status ?? error}  after ${milliseconds} ms`);
}

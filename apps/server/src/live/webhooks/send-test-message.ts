import { randomBytes } from 'node:crypto';
import type { AuditedBy } from '../../platform/audit/audit-entry.ts';
import { audit, type EndpointDependencies, findEndpoint } from './endpoints.ts';
import type { ReceiverAnswer, SendMessage } from './ports.ts';
import { signMessage } from './sign-message.ts';

/**
 * Immediately sends a signed message of type `webhook.test` to an endpoint, without retries, even if the endpoint is
 * disabled.
 * @throws DomainError `not_found`
 */
export async function sendTestMessage(
  dependencies: EndpointDependencies & { send: SendMessage },
  { id, ...by }: { id: string } & AuditedBy,
): Promise<ReceiverAnswer> {
  const { database, clock, send } = dependencies;
  const { url, secrets } = await findEndpoint(dependencies, id);
  const sentAt = clock();
  const body = JSON.stringify({ type: 'webhook.test', timestamp: sentAt.toISOString(), data: {} });
  const message = { id: `evt_${randomBytes(16).toString('hex')}`, sentAt, body };
  const answer = await send(
    { url, headers: signMessage(message, secrets), body },
    new AbortController().signal,
  );
  const after = answer.status === null ? { error: answer.error } : { status: answer.status };
  await audit(database, 'webhook_endpoint.tested', { id, ...by, occurredAt: sentAt, after });
  return answer;
}

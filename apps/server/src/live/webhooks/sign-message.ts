import { createHmac } from 'node:crypto';

/**
 * Signs a message by the Standard Webhooks specification, once for each secret.
 * @param message.sentAt when this attempt starts
 * @param secrets all that are valid at that time
 * @returns the headers of the request
 */
export function signMessage(
  message: { id: string; sentAt: Date; body: string },
  secrets: readonly Buffer[],
): Record<string, string> {
  const timestamp = String(Math.floor(message.sentAt.getTime() / 1_000));
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
  );
  return {
    'content-type': 'application/json',
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** Writes a secret in the form that receivers configure. */
export const formatSecret = (secret: Buffer): string => `whsec_${secret.toString('base64')}`;

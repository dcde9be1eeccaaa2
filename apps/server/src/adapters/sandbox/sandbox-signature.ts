import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds by which a signature may be older or newer than our clock. */
const tolerance = 300;

export const signatureHeader = 'sandbox-signature';

/** Signs a webhook: `t={seconds since the epoch},v1={HMAC-SHA256 of "t.body", in hex}` */
export function signWebhook(body: string | Buffer, secret: string, now: Date): string {
  const time = Math.floor(now.getTime() / 1000);
  return `t=${time},v1=${mac(body, secret, time)}`;
}

/**
 * Checks the signature of a webhook.
 * @param secrets the current secret, and during a change the former ones
 */
export function isSignedWebhook(
  body: Buffer,
  header: string | string[] | undefined,
  secrets: readonly string[],
  now: Date,
): boolean {
  const [, time = '', signature = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(header ?? '')) ?? [];
  if (signature === '' || Math.abs(now.getTime() / 1000 - Number(time)) > tolerance) return false;
  const given = Buffer.from(signature, 'hex');
  return secrets.some((secret) =>
    timingSafeEqual(Buffer.from(mac(body, secret, Number(time)), 'hex'), given),
  );
}

const mac = (body: string | Buffer, secret: string, time: number) =>
  createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');

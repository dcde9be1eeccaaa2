import { hideSecretsWithin } from '@keyturn/contract';
import type { makeFetchTransport } from '@sentry/react';
import { removeHiddenMoves } from './remove-hidden-moves.ts';

/** Headers, and items with headers and a payload each. */
type Envelope = Parameters<ReturnType<typeof makeFetchTransport>['send']>[0];

/** The last gate before anything leaves: whatever kind of thing it is, and however it came to hold a secret. */
export function removeSecrets(envelope: Envelope): Envelope {
  const [headers, items] = envelope;
  const cleaned = (items as [{ type?: string }, unknown][]).map(([itemHeaders, payload]) => {
    if (itemHeaders.type !== 'replay_recording') return [itemHeaders, hideSecretsWithin(payload)];
    const recording = removeSecretsFromRecording(payload);
    return [{ ...itemHeaders, length: recording.length }, recording];
  });
  const { trace } = headers as { trace?: object };
  return [trace ? { ...headers, trace: hideSecretsWithin(trace) } : headers, cleaned] as Envelope;
}

/** A line of headers, and one with the events in JSON: our recordings are not compressed. */
function removeSecretsFromRecording(payload: unknown): Uint8Array {
  const text = typeof payload === 'string' ? payload : new TextDecoder().decode(payload as Uint8Array);
  const end = text.indexOf('\n');
  const events = JSON.stringify(hideSecretsWithin(removeHiddenMoves(JSON.parse(text.slice(end + 1)))));
  return new TextEncoder().encode(`${text.slice(0, end)}\n${events}`);
}

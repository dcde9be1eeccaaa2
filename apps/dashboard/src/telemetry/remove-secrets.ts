import { hideSecretsWithin } from '@keyturn/contract';
import type { makeFetchTransport } from '@sentry/react';
import { removeHiddenMoves } from './remove-hidden-moves.ts';

/** Sentry's wire format: headers, then items that each have headers and a payload. */
type Envelope = Parameters<ReturnType<typeof makeFetchTransport>['send']>[0];

/** Removes secrets from everything that is sent to the collector, whatever kind of item contains them. */
export function removeSecrets(envelope: Envelope): Envelope {
  const [headers, items] = envelope;
  const cleanItems = (items as [{ type?: string }, unknown][]).map(([itemHeaders, payload]) => {
    if (itemHeaders.type !== 'replay_recording') return [itemHeaders, hideSecretsWithin(payload)];
    const recording = removeSecretsFromRecording(payload);
    return [{ ...itemHeaders, length: recording.length }, recording];
  });
  const { trace } = headers as { trace?: object };
  return [trace ? { ...headers, trace: hideSecretsWithin(trace) } : headers, cleanItems] as Envelope;
}

/** A recording is a line of headers and a line of JSON events; ours are not compressed. */
function removeSecretsFromRecording(payload: unknown): Uint8Array {
  const text = typeof payload === 'string' ? payload : new TextDecoder().decode(payload as Uint8Array);
  const lineEnd = text.indexOf('\n');
  const events = JSON.stringify(hideSecretsWithin(removeHiddenMoves(JSON.parse(text.slice(lineEnd + 1)))));
  return new TextEncoder().encode(`${text.slice(0, lineEnd)}\n${events}`);
}

import { webhookEventTypes } from '@keyturn/contract/staff';
import { expect, test } from 'vitest';
import {
  answerText,
  deliveryState,
  endpointState,
  isAccepted,
  referencesOf,
  subscriptionOf,
} from './endpoint-text.ts';

test('names what an endpoint is notified about, and every event without a list', () => {
  expect(subscriptionOf({ event_types: null })).toBe('Every event');
  expect(subscriptionOf({ event_types: ['document.signed', 'payment.succeeded'] })).toBe(
    'A client signs a document, A client pays',
  );
  expect(subscriptionOf({ event_types: [...webhookEventTypes] })).not.toContain('undefined');
});

test('says that an endpoint was disabled by its own answer', () => {
  expect(endpointState({ state: 'enabled', is_gone: false }).text).toBe('Enabled');
  expect(endpointState({ state: 'disabled', is_gone: true }).text).toBe('Disabled: it answered 410');
  expect(endpointState({ state: 'disabled', is_gone: false }).text).toBe('Disabled');
});

test('distinguishes an event that waits from one that is being retried', () => {
  const attempts = [{ started_at: '2026-11-23T09:30:00.000Z', milliseconds: 12, status: 500, error: null }];
  expect(deliveryState({ state: 'pending', attempts: [] }).text).toBe('Waiting');
  expect(deliveryState({ state: 'pending', attempts }).text).toBe('Being retried');
  expect(deliveryState({ state: 'dead', attempts }).text).toBe('Dead letter');
});

test('counts only 2xx answers of an endpoint as accepted, and gives the reason if there was no answer', () => {
  expect([199, 200, 204, 299, 302, 410].filter((status) => isAccepted({ status, error: null }))).toEqual([
    200, 204, 299,
  ]);
  expect(isAccepted({ status: null, error: 'timeout' })).toBe(false);
  expect(answerText({ status: null, error: 'connection refused' })).toBe('No answer: connection refused');
});

test('lists the references of an event without its link', () => {
  expect(referencesOf({ data: { case: 'KT-1', client: 'C-1', link: 'https://clients.example/' } })).toBe(
    'case KT-1, client C-1',
  );
});

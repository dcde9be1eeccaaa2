import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type EarlyRequests, fetchWithEarlyAnswers } from './early-answers.ts';

const url = '/api/client';
const request = (credential = 'Bearer one', signal?: AbortSignal): RequestInit => ({
  method: 'GET',
  headers: { Authorization: credential },
  ...(signal ? { signal } : {}),
});
const early = (answer: Promise<Response>): EarlyRequests => ({
  credential: 'Bearer one',
  sentAt: 1_000,
  answers: { [url]: answer },
});
const answered = () => early(Promise.resolve(new Response('early')));
const textOf = async (response: Promise<Response>) => (await response).text();

beforeEach(() => {
  vi.stubGlobal('fetch', async () => new Response('fetched'));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('answers the first request with the early answer, and the next from the server', async () => {
  const fetch = fetchWithEarlyAnswers(answered(), () => 2_000);
  expect(await textOf(fetch(url, request()))).toBe('early');
  expect(await textOf(fetch(url, request()))).toBe('fetched');
});

test.each([
  ['another token', url, request('Bearer two'), 2_000],
  ['another address', '/api/milestones', request(), 2_000],
  ['another method', url, { ...request(), method: 'POST' }, 2_000],
  ['a request eleven seconds later', url, request(), 12_000],
])('does not use an early answer for %s', async (_what, address, init, now) => {
  expect(await textOf(fetchWithEarlyAnswers(answered(), () => now)(address, init))).toBe('fetched');
});

test('sends a request again that failed early', async () => {
  const failed = Promise.reject(new TypeError('Failed to fetch'));
  const fetch = fetchWithEarlyAnswers(early(failed), () => 2_000);
  expect(await textOf(fetch(url, request()))).toBe('fetched');
});

test('stops waiting for an early answer when the caller aborts', async () => {
  const controller = new AbortController();
  const fetch = fetchWithEarlyAnswers(early(new Promise(() => {})), () => 2_000);
  const response = fetch(url, request('Bearer one', controller.signal));
  controller.abort(new Error('left the page'));
  await expect(response).rejects.toThrow('left the page');
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendFile } from './send-file.ts';

/** Fakes the request of `sendFile`; the test triggers its events. */
class FakeRequest {
  static last: FakeRequest;
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onabort?: () => void;
  onloadend?: () => void;
  status = 200;
  responseText = '{"data":1}';
  open = vi.fn();
  send = vi.fn();
  setRequestHeader = vi.fn();
  getAllResponseHeaders = () => 'content-type: application/json\r\nretry-after: 5\r\n';
  constructor() {
    FakeRequest.last = this;
  }
  abort() {
    this.onabort?.();
    this.onloadend?.();
  }
  answer() {
    this.onload?.();
    this.onloadend?.();
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function send() {
  const [onProgress, onStalled, leaving] = [vi.fn(), vi.fn(), new AbortController()];
  const sending = sendFile('/api/staff/files', {
    method: 'POST',
    headers: { 'X-CSRF-Token': 'csrf' },
    body: new Blob(['PDF']),
    signal: leaving.signal,
    onProgress,
    onStalled,
    patience: 60_000,
  });
  sending.catch(() => undefined);
  return { sending, onProgress, onStalled, leaving, request: FakeRequest.last };
}

test('a file on a slow line is sent for as long as parts of it arrive, with its progress', async () => {
  const { sending, onProgress, onStalled, request } = send();
  for (const loaded of [1, 2, 3]) {
    vi.advanceTimersByTime(50_000);
    request.upload.onprogress?.({ loaded, total: 4 });
  }
  expect(onProgress.mock.calls.flat()).toEqual([0.25, 0.5, 0.75]);
  request.answer();
  const answer = await sending;
  expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
    200,
    '5',
    { data: 1 },
  ]);
  vi.advanceTimersByTime(120_000);
  expect(onStalled).not.toHaveBeenCalled();
});

test('a file that makes no progress for a minute is no longer sent', async () => {
  const { sending, onStalled } = send();
  vi.advanceTimersByTime(60_000);
  await expect(sending).rejects.toThrow('not sent in time');
  expect(onStalled).toHaveBeenCalledOnce();
});

test('a file is not sent any further once its caller aborts it', async () => {
  const { sending, leaving } = send();
  leaving.abort(new Error('left'));
  await expect(sending).rejects.toThrow('left');
});

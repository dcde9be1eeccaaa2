/** A request with a file, with the options of `fetch`. */
export interface FileRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body: Blob;
  signal: AbortSignal;
  /** Called while the file is sent, with the part of it that has arrived, from 0 to 1. */
  onProgress?: ((part: number) => void) | undefined;
  /** Called after this time without progress, in milliseconds; then the request is aborted. */
  patience: number;
  onStalled(): void;
}

/**
 * Sends a file and resolves with the answer. `fetch` reports no progress, and a slow line can need minutes: the time limit
 * starts again whenever a part has arrived.
 * @throws the signal’s reason, and TypeError if the server cannot be reached, as `fetch` does
 */
export function sendFile(
  url: string,
  { method, headers, body, signal, onProgress, patience, onStalled }: FileRequest,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const waitOn = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        onStalled();
        request.abort();
      }, patience);
    };
    const abort = () => request.abort();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => {
      waitOn();
      if (total > 0) onProgress?.(loaded / total);
    };
    request.onload = () => resolve(toResponse(request));
    request.onerror = () => reject(new TypeError('the file could not be sent'));
    request.onabort = () => reject(signal.reason ?? new TypeError('the file was not sent in time'));
    request.onloadend = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', abort);
    waitOn();
    request.send(body);
  });
}

function toResponse(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  // A response without content must not have a body, not even an empty one.
  const hasNoContent = request.status === 204 || request.status === 304;
  return new Response(hasNoContent ? null : request.responseText, { status: request.status, headers });
}

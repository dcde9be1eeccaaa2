import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';

export interface ReceivedWebhook {
  id: string;
  headers: IncomingHttpHeaders;
  content: { type: string; timestamp: string; data: Record<string, string> };
  /** The status of the receiver's response. */
  status: number;
}

export interface WebhookReceiver {
  url: string;
  /** Everything that was received with a valid signature, oldest first, whatever the answer. */
  received: ReceivedWebhook[];
  /** Messages that the published library rejected. */
  rejected: string[];
  /** The number of requests in progress now, and the maximum so far. */
  concurrency(): { now: number; max: number };
  close(): Promise<void>;
}

/**
 * Starts a receiver that verifies every message with the library of the Standard Webhooks specification.
 * @param options.secret of the endpoint; read for each message, because an endpoint has it only after the receiver’s address
 * @param options.answer chooses the status of the answer
 */
export async function startWebhookReceiver(options: {
  secret(): string;
  answer?(webhook: Omit<ReceivedWebhook, 'status'>): number | Promise<number>;
}): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const rejected: string[] = [];
  let inProgress = 0;
  let max = 0;
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    inProgress += 1;
    max = Math.max(max, inProgress);
    const { headers } = request;
    let body = '';
    for await (const chunk of request) body += chunk;
    let status = 400;
    try {
      const content = new Webhook(options.secret()).verify(body, headers as Record<string, string>);
      const webhook = {
        id: String(headers['webhook-id']),
        headers,
        content: content as ReceivedWebhook['content'],
      };
      status = (await options.answer?.(webhook)) ?? 204;
      received.push({ ...webhook, status });
    } catch (error) {
      rejected.push(String(error));
    }
    inProgress -= 1;
    response.writeHead(status).end();
  };
  // A sender may cancel its request.
  const server = createServer(
    (request, response) => void receive(request, response).catch(() => response.destroy()),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    received,
    rejected,
    concurrency: () => ({ now: inProgress, max }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

import { test } from 'vitest';
import { withInputServer } from '../testing/any-input/input-server.ts';
import { exchangeBytes } from '../testing/any-input/raw-connection.ts';
import { type RawRequest, rawFaults, rawRequests, toHttpParts } from '../testing/any-input/raw-requests.ts';
import { sendInputs } from '../testing/any-input/send-inputs.ts';
import { nextAddress } from '../testing/any-input/sender-addresses.ts';

const server = withInputServer();

/** Sends the bytes of a request over a socket. */
async function send({ request, fault, number }: RawRequest): Promise<string[]> {
  const rawFault = rawFaults[fault];
  if (!rawFault) throw new Error(`unknown fault ${fault}`);
  const { resolve } = server.records;
  const content = request.body?.content ?? '';
  const headers = {
    host: new URL(server.url).host,
    'x-forwarded-for': nextAddress(),
    ...(await server.headersOf(request.sender)),
    ...request.body?.headers,
    ...request.headers,
  };
  const parts = toHttpParts({
    method: request.method,
    url: resolve(`${request.path}${request.query && `?${request.query}`}`) || '/',
    headers: Object.entries(headers),
    content: typeof content === 'string' ? Buffer.from(resolve(content)) : content,
  });
  const answer = await exchangeBytes(Number(new URL(server.url).port), rawFault.write(parts, number), {
    isIncomplete: rawFault.isIncomplete === true,
    isHead: request.method === 'HEAD',
  });
  const sent = { method: request.method, url: parts.url };
  const faults = await server.judge(answer ?? noAnswer, { path: request.path, errors: undefined }, sent);
  if (rawFault.expected === 'rejected' && answer && answer.status < 400)
    faults.push(`${fault} was answered with ${answer.status}: ${answer.body.slice(0, 500)}`);
  return faults;
}

const noAnswer = { status: 499, headers: {}, body: '' };

test('fault 58: any bytes as a request are answered without 5xx, internals or changes of data', async () => {
  await server.whileClientReads(sendInputs(rawRequests, { kind: 'bytes', send }));
});

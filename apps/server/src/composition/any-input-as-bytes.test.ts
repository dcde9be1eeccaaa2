import { test } from 'vitest';
import { withInputServer } from '../testing/any-input/input-server.ts';
import { exchangeBytes } from '../testing/any-input/raw-connection.ts';
import { type RawRequest, rawFaults, rawRequests, toHttpParts } from '../testing/any-input/raw-requests.ts';
import { toSentRequest } from '../testing/any-input/request-parts.ts';
import { sendInputs } from '../testing/any-input/send-inputs.ts';

const server = withInputServer();

/** Sends the bytes of a request over a socket. */
async function send({ request, fault, number }: RawRequest): Promise<string[]> {
  const rawFault = rawFaults[fault];
  if (!rawFault) throw new Error(`unknown fault ${fault}`);
  const { method, path, sender } = request;
  const parts = toHttpParts(await server.partsOf(toSentRequest(request)));
  const answer = await exchangeBytes(Number(new URL(server.url).port), rawFault.write(parts, number), {
    isIncomplete: rawFault.isIncomplete === true,
    isHead: method === 'HEAD',
  });
  const sent = { method, url: parts.url, sender };
  const faults = await server.judge(answer, { path, errors: undefined }, sent);
  if (rawFault.expected === 'rejected' && answer && answer.status < 400)
    faults.push(`${fault} was answered with ${answer.status}: ${answer.body.slice(0, 500)}`);
  return faults;
}

test('fault 58: any bytes as a request are answered without a 5xx, internal details or changes of data', async () => {
  await server.whileClientReads(sendInputs(rawRequests, { kind: 'bytes', send }));
});

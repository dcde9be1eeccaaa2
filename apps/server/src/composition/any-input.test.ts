import { describe, test } from 'vitest';
import { type DescribedRoute, describedRoutes } from '../testing/any-input/described-routes.ts';
import { exchange } from '../testing/any-input/http-exchange.ts';
import { withInputServer } from '../testing/any-input/input-server.ts';
import { toSentRequest } from '../testing/any-input/request-parts.ts';
import { type AnyRequest, requestsFor } from '../testing/any-input/requests.ts';
import { sendInputs } from '../testing/any-input/send-inputs.ts';

const server = withInputServer();

async function sendTo(route: DescribedRoute, request: AnyRequest): Promise<string[]> {
  const { method, sender } = request;
  const parts = await server.partsOf(toSentRequest(request));
  const url = parts.url.startsWith('/') ? parts.url : `/${parts.url}`;
  const answer = await exchange(server.url, { ...parts, url });
  // Another method of the path is another route.
  const errors = method === route.method ? route.errors : undefined;
  const faults = await server.judge(answer, { path: route.path, errors }, { method, url, sender });
  // Node.js may miss an answer to a body that the server does not read to its end.
  const isTooLarge = parts.content.length > 100 * 1_024;
  return answer || isTooLarge ? faults : ['the connection ended without an answer', ...faults];
}

describe('arbitrary input', () => {
  test.each(describedRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'fault 58: %s answers any input without a 5xx, internal details or changes of data',
    async (_name, route) => {
      const send = (request: AnyRequest) => sendTo(route, request);
      await server.whileClientReads(
        sendInputs(requestsFor(route), { kind: 'routes', tests: describedRoutes.length, send }),
      );
    },
  );
});

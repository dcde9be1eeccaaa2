import { describe, test } from 'vitest';
import { type DescribedRoute, describedRoutes } from '../testing/any-input/described-routes.ts';
import { withInputServer } from '../testing/any-input/input-server.ts';
import { type AnyRequest, requestsFor } from '../testing/any-input/requests.ts';
import { sendInputs } from '../testing/any-input/send-inputs.ts';
import { nextAddress } from '../testing/any-input/sender-addresses.ts';

const server = withInputServer();

/** Sends a request as the server’s own tests do, without HTTP. */
async function sendTo(route: DescribedRoute, request: AnyRequest): Promise<string[]> {
  const { resolve } = server.records;
  const content = request.body?.content;
  const url = resolve(`${request.path}${request.query && `?${request.query}`}`) || '/';
  const headers = {
    host: 'desk.example.test',
    origin: 'http://desk.example.test',
    'x-forwarded-for': nextAddress(),
    ...(await server.headersOf(request.sender)),
    ...request.body?.headers,
    ...request.headers,
  };
  const answer = await server.app.inject({
    method: request.method as 'GET',
    url: url.startsWith('/') ? url : `/${url}`,
    headers,
    ...(content === undefined ? {} : { payload: typeof content === 'string' ? resolve(content) : content }),
  });
  const { statusCode: status, body } = answer;
  // Another method of the path is another route.
  const errors = request.method === route.method ? route.errors : undefined;
  const judged = { path: route.path, errors };
  return server.judge({ status, headers: answer.headers, body }, judged, { method: request.method, url });
}

describe('arbitrary input', () => {
  test.each(describedRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'fault 58: %s answers any input without 5xx, internals or changes of data',
    async (_name, route) => {
      const send = (request: AnyRequest) => sendTo(route, request);
      await server.whileClientReads(
        sendInputs(requestsFor(route), { kind: 'routes', tests: describedRoutes.length, send }),
      );
    },
  );
});

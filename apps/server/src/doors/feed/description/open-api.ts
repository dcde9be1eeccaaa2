import { CaseFeed, ErrorBody, feedRecords } from '@keyturn/contract';
import {
  type FeedAccess,
  type FeedCallDefinition,
  type FeedCallKey,
  feedCalls,
} from '@keyturn/contract/feed';
import { type FeedExample, feedExamples } from './examples.ts';

/** Describes which scope a call needs. */
export const scopeText = (access: FeedAccess): string => {
  if (access === 'any-key') return 'none';
  return access === 'KINDS:write' ? 'KIND:write for each kind in the batch' : access;
};

/** Describes the feed over HTTP as OpenAPI 3.1. */
export function describeFeed(version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [key, call] of Object.entries<FeedCallDefinition>(feedCalls)) {
    const [method = '', path = ''] = key.split(' ');
    const ofPath = paths[path] ?? {};
    ofPath[method.toLowerCase()] = describeCall(path, call, feedExamples[key as FeedCallKey]);
    paths[path] = ofPath;
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Keyturn case feed', version },
    servers: [{ url: '/api' }],
    security: [{ feedKey: [] }],
    paths,
    components: {
      securitySchemes: {
        feedKey: { type: 'http', scheme: 'bearer', description: 'A secret that keyturn key create prints' },
      },
      schemas: { ...feedRecords, feed: CaseFeed, error: ErrorBody },
    },
  };
}

function describeCall(path: string, call: FeedCallDefinition, examples: readonly FeedExample[]): object {
  const { id, summary, description, access, parameters = {}, bodies, acceptsIdempotencyKey, answers } = call;
  const answersByStatus = (status: number) => examplesOf(examples.filter((each) => each.status === status));
  return {
    operationId: id,
    summary,
    description: `${description} Scope: ${scopeText(access)}.`,
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
        name,
        in: 'path',
        required: true,
        schema: name === 'kind' ? { type: 'string', enum: Object.keys(feedRecords) } : { type: 'string' },
      })),
      ...Object.entries(parameters).map(([name, parameter]) => ({ name, in: 'query', ...parameter })),
      ...(acceptsIdempotencyKey
        ? [
            {
              name: 'Idempotency-Key',
              in: 'header',
              schema: { type: 'string', minLength: 1, maxLength: 255 },
            },
          ]
        : []),
    ],
    ...(bodies && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          Object.entries(bodies).map(([type, { schema, description: words }]) => [
            type,
            {
              schema: words === undefined ? schema : { ...schema, description: words },
              examples: Object.fromEntries(
                examples
                  .filter(({ contentType = 'application/json' }) => contentType === type)
                  .map((each) => [nameOf(each), { summary: each.summary, value: each.body }]),
              ),
            },
          ]),
        ),
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [
          status,
          {
            description: answer.description,
            content: {
              'application/json': { schema: answer.schema, examples: answersByStatus(Number(status)) },
            },
          },
        ]),
      ),
      ...Object.fromEntries(
        examples
          .filter(({ status }) => answers[status] === undefined)
          .map((each) => [each.status, describeError(each.summary, answersByStatus(each.status))]),
      ),
      default: describeError('The request failed'),
    },
  };
}

const describeError = (description: string, examples?: object) => ({
  description,
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/error' }, ...(examples && { examples }) },
  },
});

const examplesOf = (examples: readonly FeedExample[]) =>
  Object.fromEntries(examples.map((each) => [nameOf(each), { summary: each.summary, value: each.answer }]));

const nameOf = ({ summary }: FeedExample) => summary.toLowerCase().replaceAll(/\W+/g, '-');

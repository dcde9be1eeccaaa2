import { documentMediaTypes, hasHiddenCharacter } from '@keyturn/contract';
import { type FeedCallDefinition, feedCalls } from '@keyturn/contract/feed';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createUploadLimit } from '../../../http/limits/limit-uploads.ts';
import { registerCalls } from '../../../http/register-calls.ts';
import { DomainError, invalidInput } from '../../../platform/domain-error.ts';
import { sha256Of } from '../../../platform/files/sha256-of.ts';
import { paramsOf } from '../feed-paths.ts';
import type { FeedHandlers, FeedRouteDependencies, RouteContext } from '../route-context.ts';
import { checkSentFile, sendFile } from './send-file.ts';

/** The maximum number of files in memory, for each server. */
const maxFiles = 4;

/** Registers the call that sends the file of a document. */
export function fileRoutes(dependencies: FeedRouteDependencies, { access, send, senderOf }: RouteContext) {
  return async (api: FastifyInstance): Promise<void> => {
    const limit = createUploadLimit(maxFiles);
    api.addContentTypeParser([...documentMediaTypes], { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    const store = async (request: FastifyRequest, reply: FastifyReply, content: Buffer) => {
      const { reference } = paramsOf(request);
      // Before its turn in the queue, because a scan can take longer than other requests wait.
      const file = await checkSentFile(dependencies, senderOf(request), { reference, content });
      return send(request, reply, await sha256Of(content), async (sender) => {
        const result = await sendFile(dependencies, sender, file);
        return { status: 200, body: { data: { reference, result } } };
      });
    };
    const handlers: FeedHandlers<'PUT /feed/documents/{reference}/file'> = {
      'PUT /feed/documents/{reference}/file': async (request, reply) => {
        if (!isReference(paramsOf(request).reference))
          throw invalidInput('reference', 'must be 1 to 100 characters of text');
        const { body: content } = request;
        if (!Buffer.isBuffer(content)) throw new DomainError('unsupported_media_type');
        return limit.during(request, () => store(request, reply, content));
      },
    };
    registerCalls(api, feedCalls as Record<string, FeedCallDefinition>, handlers, {
      access: {
        ...access,
        admit: async (request, reply, call, handler) => {
          await access.admit(request, reply, call, handler);
          limit.enter(request, reply);
        },
      },
    });
  };
}

const isReference = (text: string) =>
  text.length >= 1 && text.length <= 100 && text.isWellFormed() && !hasHiddenCharacter(text);

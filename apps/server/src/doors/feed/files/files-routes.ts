import { documentMediaTypes, hasHiddenCharacter } from '@keyturn/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { maxDocumentBytes } from '../../../case-file/import/documents/read-document.ts';
import { createUploadLimit } from '../../../http/limits/limit-uploads.ts';
import { DomainError, invalidInput } from '../../../platform/domain-error.ts';
import type { FeedRouteDependencies, RouteContext } from '../route-context.ts';
import { checkSentFile, sendFile } from './send-file.ts';

/** The maximum number of files in memory, for each server. */
const maxFiles = 4;

/** Registers the route for the files of documents. */
export function fileRoutes(
  dependencies: FeedRouteDependencies,
  { route, admitting, send, senderOf }: RouteContext,
) {
  return async (api: FastifyInstance): Promise<void> => {
    const limit = createUploadLimit(maxFiles);
    api.addContentTypeParser([...documentMediaTypes], { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    const admit = admitting(() => ['documents:write']);
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      await admit(request);
      limit.enter(request, reply);
    };
    const store = async (request: FastifyRequest, reply: FastifyReply, content: Buffer) => {
      const { reference } = request.params as { reference: string };
      // Before its turn in the queue, because a scan can take longer than other requests wait.
      const file = await checkSentFile(dependencies, senderOf(request), { reference, content });
      return send(request, reply, await digestOf(content), async (sender) => {
        const result = await sendFile(dependencies, sender, file);
        return { status: 200, body: { data: { reference, result } } };
      });
    };
    api.put(
      '/feed/documents/:reference/file',
      { ...route, onRequest, bodyLimit: maxDocumentBytes },
      async (request, reply) => {
        const { reference } = request.params as { reference: string };
        if (!isReference(reference)) throw invalidInput('reference', 'must be 1 to 100 characters of text');
        const { body: content } = request;
        if (!Buffer.isBuffer(content)) throw new DomainError('unsupported_media_type');
        return limit.during(request, () => store(request, reply, content));
      },
    );
  };
}

const isReference = (text: string) =>
  text.length >= 1 && text.length <= 100 && text.isWellFormed() && !hasHiddenCharacter(text);

const digestOf = async (content: Buffer) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(content))).toString('hex');

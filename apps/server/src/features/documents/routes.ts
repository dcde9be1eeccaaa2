import type { CallHandlers, ReadCalls } from '../../http/call-handlers.ts';
import type { SignedFileDependencies } from './make-signed-file.ts';
import { markRead } from './mark-read.ts';
import type { DocumentHistory } from './ports.ts';
import { sendContent } from './read-content.ts';
import { readDocument, readDocuments } from './read-documents.ts';
import { signDocument } from './sign-document.ts';
import type { SignedCopies } from './signed-copies.ts';

export function documentRoutes(
  dependencies: SignedFileDependencies & { history: DocumentHistory; copies: SignedCopies },
): ReadCalls<'GET /documents' | 'GET /documents/{id}'> &
  CallHandlers<
    'GET /documents/{id}/content' | 'POST /documents/{id}/read' | 'POST /documents/{id}/signature'
  > {
  return {
    'GET /documents': { read: () => readDocuments({}) },
    'GET /documents/{id}': { read: ({ params }) => readDocument(params.id) },
    'GET /documents/{id}/content': ({ client, params, query }) =>
      sendContent(dependencies, { clientId: client.id, documentId: params.id, version: query.version }),
    'POST /documents/{id}/read': ({ client, params }) =>
      markRead(dependencies, { clientId: client.id, documentId: params.id }),
    'POST /documents/{id}/signature': ({ client, params, body, address }) =>
      signDocument(dependencies, {
        clientId: client.id,
        sessionHash: client.sessionHash,
        documentId: params.id,
        body,
        address,
      }),
  };
}

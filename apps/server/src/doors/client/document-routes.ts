import { markRead } from '../../case-file/documents/mark-read.ts';
import { sendContent } from '../../case-file/documents/read-content.ts';
import { readDocument, readDocuments } from '../../case-file/documents/read-documents.ts';
import { type DocumentDependencies, signDocument } from '../../case-file/documents/sign-document.ts';
import type { CallHandlers, ReadCalls } from '../../http/call-handlers.ts';

export function documentRoutes(
  dependencies: DocumentDependencies,
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

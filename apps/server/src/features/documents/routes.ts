import type { CallHandlers } from '../../http/call-handlers.ts';
import { markRead } from './mark-read.ts';
import { readContent } from './read-content.ts';
import { readDocument, readDocuments } from './read-documents.ts';
import { type DocumentDependencies, signDocument } from './sign-document.ts';

export function documentRoutes(
  dependencies: DocumentDependencies,
): CallHandlers<
  | 'GET /documents'
  | 'GET /documents/{id}'
  | 'GET /documents/{id}/content'
  | 'POST /documents/{id}/read'
  | 'POST /documents/{id}/signature'
> {
  const { database } = dependencies;
  return {
    'GET /documents': ({ client }) => readDocuments(database, client.id),
    'GET /documents/{id}': ({ client, params }) =>
      readDocument(database, { clientId: client.id, documentId: params.id }),
    'GET /documents/{id}/content': ({ client, params, query }) =>
      readContent(dependencies, { clientId: client.id, documentId: params.id, version: query.version }),
    'POST /documents/{id}/read': ({ client, params }) =>
      markRead(dependencies, { clientId: client.id, documentId: params.id }),
    'POST /documents/{id}/signature': ({ client, params, body, address }) =>
      signDocument(dependencies, { clientId: client.id, documentId: params.id, body, address }),
  };
}

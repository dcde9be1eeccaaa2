import { type Static, Type } from 'typebox';
import { CaseDocument, DocumentFolder } from '../entities/case-entities.ts';
import { OneOf } from '../entities/values.ts';
import { documentMediaTypes } from '../vocabulary.ts';
import { type CallDefinition, IdParam } from './call-definition.ts';
import { usualPolicy } from './call-policy.ts';

/** A stroke of a drawn signature: alternating x and y, in the units of the drawing. */
const Stroke = Type.Array(Type.Integer({ minimum: 0, maximum: 4_000 }), { minItems: 2, maxItems: 4_000 });

export const SignatureBody = Type.Object(
  {
    /** The full name, typed. It is the signature unless one is drawn. */
    name: Type.String({ minLength: 2, maxLength: 200 }),
    /** The statement that the client ticked: `signature.consent` of the document. */
    consent: Type.String({ minLength: 1, maxLength: 1_000 }),
    /** SHA-256 of the document that the client read, from `GET /documents/{id}`. */
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    /** SHA-256 of the file that the client was shown, computed from its bytes: the original or a signed copy of it. */
    shown_sha256: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
    drawing: Type.Optional(
      Type.Object(
        {
          width: Type.Integer({ minimum: 1, maximum: 4_000 }),
          height: Type.Integer({ minimum: 1, maximum: 4_000 }),
          strokes: Type.Array(Stroke, { minItems: 1, maxItems: 500 }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type SignatureBody = Static<typeof SignatureBody>;

export const documentCalls = {
  'GET /documents': {
    summary: 'List the documents of the active case, newest first',
    ...usualPolicy,
    access: 'client',
    data: Type.Array(CaseDocument),
    /** The folders of each type of matter of the case. */
    meta: Type.Object({ folders: Type.Array(DocumentFolder) }),
    errors: ['unauthenticated'],
  },
  'GET /documents/{id}': {
    summary: 'Get one document of any of the client’s cases',
    ...usualPolicy,
    access: 'client',
    params: IdParam,
    data: CaseDocument,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /documents/{id}/content': {
    summary: 'Download a document; a signed one includes its signature page unless the original is requested',
    ...usualPolicy,
    access: 'client',
    params: IdParam,
    query: Type.Object({ version: Type.Optional(OneOf(['original'])) }, { additionalProperties: false }),
    file: documentMediaTypes,
    errors: ['unauthenticated', 'not_found', 'document_damaged', 'invalid_input', 'too_many_requests'],
  },
  'POST /documents/{id}/read': {
    summary: 'Mark a document as read',
    ...usualPolicy,
    access: 'client',
    params: IdParam,
    data: CaseDocument,
    errors: ['unauthenticated', 'not_found'],
  },
  'POST /documents/{id}/signature': {
    summary: 'Sign a document',
    ...usualPolicy,
    log: 'document-signed',
    access: 'client',
    params: IdParam,
    body: { schema: SignatureBody, optional: false },
    data: CaseDocument,
    errors: [
      'unauthenticated',
      'not_found',
      'already_signed',
      'signature_not_requested',
      'signed_on_paper',
      'name_mismatch',
      'identity_not_confirmed',
      'document_changed',
      'document_damaged',
      'document_not_signable',
      'invalid_input',
    ],
  },
} as const satisfies Record<string, CallDefinition>;

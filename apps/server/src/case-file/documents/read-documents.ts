import { type CallAnswer, type CaseDocument, type DocumentFolder, signatureConsent } from '@keyturn/contract';
import { type SQL, sql } from 'drizzle-orm';
import { bindingMomentOf } from '../../platform/binding-moment.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { type ClientRead, defineRead } from '../../platform/reads/client-read.ts';
import { asInstant, columns, entityFields, instants, jsonList } from '../../platform/reads/contract-json.ts';
import { deskFields, nameOf } from '../cases/desk-fields.ts';
import { versionsOf } from './document-versions.ts';
import type { StoredOriginal } from './paper/originals.ts';

/** The documents of a case as JSON. Versions can only be determined together. */
interface StoredDocuments {
  /** All clients of the case; every one of them has to sign. */
  clients: { id: string; name: string }[];
  documents: StoredDocument[];
}

type StoredDocument = Omit<CaseDocument, keyof Version | 'signature'> & {
  facts: {
    supersedesId: string | null;
    signing: NonNullable<CaseDocument['signature']>['signing'];
    receivedOn: string | null;
    originals: StoredOriginal[];
    confirmIdentity: boolean;
    binding: Parameters<typeof bindingMomentOf>;
    signers: Signer[];
  };
};

type Version = Pick<CaseDocument, 'supersedes' | 'superseded_by' | 'version'>;

interface Signer {
  clientId: string;
  /** The client's name as the firm has it. */
  clientName: string;
  /** The name they signed with. */
  name: string;
  signedAt: string;
}

/**
 * Reads every document of the client's active case, newest first, including earlier versions, and what the firm says about
 * the folders of its types of matters.
 */
export const readDocuments = defineRead<
  { documents: StoredDocuments; folders: DocumentFolder[] } | null,
  CallAnswer<'GET /documents'>,
  object
>({
  name: 'read_documents',
  select: (client, shownCase) => sql`(
    select json_build_object('documents', ${documentsOf(sql`active_case.id`, client)},
      'folders', ${foldersOf(sql`active_case.id`)})
    from ${shownCase} active_case)`,
  toAnswer: (stored, { clientId }) => ({
    data: stored ? toCaseDocuments(stored.documents, clientId) : [],
    meta: { folders: stored?.folders ?? [] },
  }),
});

/**
 * Reads one document of any of the client's cases.
 * @throws DomainError `not_found`, the same for an unknown document and another client's
 */
export function readDocument(id: string): ClientRead<CaseDocument> {
  if (!isId(id)) throw new DomainError('not_found');
  return readOne({ id });
}

const readOne = defineRead<StoredDocuments | null, CaseDocument, { id: string }>({
  name: 'read_document',
  select: (client) => sql`(
    select ${documentsOf(sql`own.case_id`, client)}
    from documents opened
    join matters its_matter on its_matter.id = opened.matter_id
    join case_clients own on own.case_id = its_matter.case_id
    where opened.id = ${sql.placeholder('id')} and own.client_id = ${client})`,
  toAnswer: (stored, { id, clientId }) => {
    const found = stored && toCaseDocuments(stored, clientId).find((document) => document.id === id);
    if (!found) throw new DomainError('not_found');
    return found;
  },
});

/** Writes the folders of each type of matter of a case. */
const foldersOf = (caseId: SQL): SQL =>
  jsonList(
    sql`json_build_object('matter_type', types.matter_type, 'group', folder.words -> 'group',
      'name', folder.words -> 'name', 'empty_text', folder.words -> 'empty' -> types.matter_type)`,
    {
      query: sql`
        from (select distinct matter_type from matters where case_id = ${caseId}) types
        cross join jsonb_array_elements(firm_data_value('document_groups')) with ordinality as folder (words, position)`,
      order: sql`types.matter_type, folder.position`,
    },
  );

/** Writes the documents of a case, newest first, each with the time this client first read it. */
const documentsOf = (caseId: SQL, client: SQL): SQL => sql`json_build_object(
  'clients', ${jsonList(
    sql`json_build_object('id', signer.id, 'name', signer.first_name || ' ' || signer.last_name)`,
    {
      query: sql`
      from case_clients membership join clients signer on signer.id = membership.client_id
      where membership.case_id = ${caseId}`,
      order: sql`signer.first_name, signer.last_name, signer.id`,
    },
  )},
  'documents', ${jsonList(storedDocument, {
    query: sql`
      from matters matter
      join documents document on document.matter_id = matter.id
      left join document_reads reading on reading.document_id = document.id and reading.client_id = ${client}
      where matter.case_id = ${caseId} and is_shown_to(document, ${client})`,
    order: sql`document.shared_at desc, document.created_at desc, document.reference`,
  })})`;

const storedDocument = sql`json_build_object(${entityFields('document')},
  ${columns('document', 'matter_id', 'title', 'file_name', 'media_type', 'size', 'pages', 'sha256', 'uploaded_by')},
  'matter_type', matter.matter_type, 'group', document."group",
  ${instants('document', 'shared_at')}, ${instants('reading', 'read_at')},
  'facts', json_build_object('supersedesId', document.supersedes_id, 'signing', document.signing,
    'receivedOn', document.received_on, 'originals', document.originals, 'confirmIdentity', document.confirm_identity,
    'binding', json_build_array(
      json_build_object('signing', document.signing, 'bindsOn', document.binds_on, 'group', document."group"),
      json_build_object('matterType', matter.matter_type, 'exchangedOn', matter.exchanged_on)),
    'signers', ${jsonList(
      sql`json_build_object('clientId', signer.id, 'clientName', signer.first_name || ' ' || signer.last_name,
        'name', signature.name, 'signedAt', ${asInstant('signature.signed_at')})`,
      {
        query: sql`
          from document_signatures signature join clients signer on signer.id = signature.client_id
          where signature.document_id = document.id`,
        order: sql`signature.position`,
      },
    )}))`;

function toCaseDocuments({ clients, documents }: StoredDocuments, clientId: string): CaseDocument[] {
  const versionOf = versionsOf(documents.map(({ id, facts }) => ({ id, supersedesId: facts.supersedesId })));
  return documents.map(({ facts, ...document }) => {
    const { supersedes, supersededBy, version } = versionOf(document.id);
    return {
      ...document,
      supersedes,
      superseded_by: supersededBy,
      version,
      signature:
        facts.signing !== null || facts.signers.length > 0
          ? signatureOf(facts, { clientId, clients, isSuperseded: supersededBy !== null })
          : null,
    };
  });
}

function signatureOf(
  { signing, receivedOn, originals, confirmIdentity, binding, signers }: StoredDocument['facts'],
  {
    clientId,
    clients,
    isSuperseded,
  }: { clientId: string; clients: StoredDocuments['clients']; isSuperseded: boolean },
): CaseDocument['signature'] {
  const mine = signers.find((signer) => signer.clientId === clientId);
  const originalOf = (id: string) => originals.find(({ client_id }) => client_id === id)?.received_on ?? null;
  const others = clients
    .filter(({ id }) => id !== clientId)
    .map(({ id, name }) => ({
      id,
      name,
      signed_at: signers.find((signer) => signer.clientId === id)?.signedAt ?? null,
      original_received_on: originalOf(id),
    }));
  // A client who has left the case is still listed as a signer.
  const formerSigners = signers
    .filter((signer) => signer.clientId !== clientId && !others.some(({ id }) => id === signer.clientId))
    .map(({ clientId: id, clientName, signedAt }) => ({
      id,
      name: clientName,
      signed_at: signedAt,
      original_received_on: originalOf(id),
    }));
  const isAskedFor = signing !== null;
  const bindsOn = bindingMomentOf(...binding);
  const required =
    isAskedFor && !mine && receivedOn === null && originalOf(clientId) === null && !isSuperseded;
  return {
    signing,
    binds_on: bindsOn,
    consent: signing === 'simple' ? signatureConsent(bindsOn) : null,
    received_on: receivedOn,
    original_received_on: originalOf(clientId),
    required,
    needs_confirmation: required && signing === 'simple' && confirmIdentity,
    signed_at: mine?.signedAt ?? null,
    signed_by: mine?.name ?? null,
    others: [...(isAskedFor ? others : others.filter((other) => other.signed_at)), ...formerSigners].map(
      ({ name, signed_at, original_received_on }) => ({ name, signed_at, original_received_on }),
    ),
  };
}

/** Writes the documents of the case in the row `conveyancing_case`, including withdrawn ones, as staff see them. */
export const documentsAtDesk = jsonList(
  sql`json_build_object(${columns('document', 'id', 'matter_id', 'title', 'file_name', 'media_type', 'size', 'pages')},
    ${deskFields('document')}, 'group', document."group",
    ${columns('document', 'sha256', 'uploaded_by', 'signing', 'binds_on', 'received_on', 'confirm_identity')},
    'originals', ${jsonList(
      sql`json_build_object('client', ${nameOf('signer')}, 'client_reference', signer.reference,
        'received_on', original ->> 'received_on')`,
      {
        query: sql`
          from jsonb_array_elements(document.originals) original
          join clients signer on signer.id = (original ->> 'client_id')::uuid`,
        order: sql`signer.reference`,
      },
    )},
    ${instants('document', 'shared_at', 'withdrawn_at')}, 'awaits_check', awaits_check(document),
    'for_client', (
      select json_build_object('id', audience.id, 'name', audience.first_name || ' ' || audience.last_name,
        'reference', audience.reference)
      from clients audience where audience.id = document.for_client_id),
    'supersedes', document.supersedes_id,
    'superseded_by', (
      select newer.id from documents newer where newer.supersedes_id = document.id and newer.withdrawn_at is null
      order by newer.shared_at desc, newer.id limit 1),
    'reads', ${jsonList(
      sql`json_build_object('client', ${nameOf('reader')}, 'read_at', ${asInstant('reading.read_at')})`,
      {
        query: sql`
          from document_reads reading join clients reader on reader.id = reading.client_id
          where reading.document_id = document.id`,
        order: sql`reading.read_at`,
      },
    )},
    'seen_by', ${jsonList(
      sql`json_build_object('client', ${nameOf('seeing')}, 'seen_at', ${asInstant('seen.at')})`,
      {
        query: sql`
          from (
            select client_id, min(at) as at from (
              select client_id, read_at as at from document_reads where document_id = document.id
              union all select client_id, delivered_at from document_deliveries where document_id = document.id) times
            group by client_id) seen
          join clients seeing on seeing.id = seen.client_id`,
        order: sql`seen.at`,
      },
    )},
    'signatures', ${jsonList(
      sql`json_build_object('client', ${nameOf('signer')}, 'signed_at', ${asInstant('signature.signed_at')})`,
      {
        query: sql`
          from document_signatures signature join clients signer on signer.id = signature.client_id
          where signature.document_id = document.id`,
        order: sql`signature.position`,
      },
    )})`,
  {
    query: sql`
      from matters of_case join documents document on document.matter_id = of_case.id
      where of_case.case_id = conveyancing_case.id`,
    order: sql`document.shared_at desc, document.created_at desc, document.reference`,
  },
);

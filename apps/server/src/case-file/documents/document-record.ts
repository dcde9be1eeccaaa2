import { basename } from 'node:path';
import type { FeedRecord } from '@keyturn/contract';
import { sql } from 'drizzle-orm';
import { documents } from '../../schema/tables/tables.ts';
import { fieldsOf, inMatter, own, type RecordDefinition, referenceTo } from '../records/define-record.ts';

const normaliseOriginals = (originals: NonNullable<FeedRecord<'documents'>['originals']>) =>
  originals.length === 0 ? undefined : originals.toSorted((a, b) => (a.client < b.client ? -1 : 1));

const { text, value, instant } = fieldsOf(documents);

/** A document, as the case feed sends it and as it is stored. */
export const documentRecord = {
  table: documents,
  auditedAs: 'document',
  ...inMatter(documents),
  from: sql`documents r join matters m on m.id = r.matter_id
    left join documents former on former.id = r.supersedes_id left join clients audience on audience.id = r.for_client_id`,
  fields: {
    matter: referenceTo('matters', sql`m.reference`),
    group: value('group'),
    title: text('title'),
    // Stored with the file’s content.
    file: own(sql`r.file_name`, { normalise: (file: string) => basename(file) }),
    pages: text('pages'),
    uploaded_by: text('uploadedBy'),
    shared_at: instant('sharedAt'),
    supersedes: referenceTo('documents', sql`former.reference`),
    for_client: referenceTo('clients', sql`audience.reference`),
    signing: value('signing'),
    binds_on: value('bindsOn'),
    // Also the day of the last original.
    received_on: own(sql`r.received_on`, { isAudited: true }),
    originals: own(
      sql`(select json_agg(json_build_object('client', c.reference, 'received_on', original ->> 'received_on')
          order by c.reference)
        from jsonb_array_elements(r.originals) original join clients c on c.id = (original ->> 'client_id')::uuid)`,
      { normalise: normaliseOriginals, isAudited: true },
    ),
    // Left out, it is on for a contract, and otherwise stays as it was.
    confirm_identity: own(
      sql`case when r.signing = 'simple' or r.confirm_identity then r.confirm_identity end`,
      { isAudited: true },
    ),
  },
} satisfies RecordDefinition<'documents'>;

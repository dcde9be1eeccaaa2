import type { DeskDocument } from '@keyturn/contract/staff';
import { formatMoment, formatShortDay, formatShortDayOf } from '@keyturn/format/dates';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useState } from 'react';
import { useDocumentGroups } from '../../../api/document-groups.ts';
import { Button } from '../../../ui/base/button.tsx';
import { EmptyState, Section } from '../../../ui/base/page.tsx';
import { type Column, Table } from '../../../ui/table/table.tsx';
import styles from '../case.module.css';
import type { CasePartProps } from '../case-part-props.ts';
import { EditDialog } from '../edits/edit-dialog.tsx';
import { sendDocument } from '../edits/send-edits.ts';
import { audienceText } from './document-audience.ts';
import { documentEdit, documentFields, signingState, storedDocument } from './document-edits.ts';
import { readersOf } from './document-readers.ts';
import { DropZone } from './drop-zone.tsx';
import { WithdrawDialog } from './withdraw-dialog.tsx';

/** The server sends the file itself, so that a browser shows it while it arrives. */
const fileAddress = (id: string) => `/api/staff/documents/${id}/file`;

/** The documents of the case, who has read and signed them, and the drop zone for new ones. */
export function DocumentsPart(props: CasePartProps) {
  const { deskCase, changes, mayEdit } = props;
  const { groups, isLoading } = useDocumentGroups();
  const [editedId, setEditedId] = useState<string | null>(null);
  const [withdrawnId, setWithdrawnId] = useState<string | null>(null);
  const columns = useColumns(props, { onEdit: setEditedId, onWithdraw: setWithdrawnId });
  const withdrawn = deskCase.documents.find(({ id }) => id === withdrawnId);
  const edited = deskCase.documents.find(({ id }) => id === editedId);
  return (
    <>
      {mayEdit && <DropZone {...props} />}
      <Section title="Documents">
        <Table
          label={`Documents of ${deskCase.reference}`}
          columns={columns}
          query={{
            // The names of the folders change the heights of rows, and would move a button just as it is clicked.
            data: isLoading ? undefined : deskCase.documents,
            error: null,
            isFetching: false,
            refetch: changes.refresh,
          }}
          keyOf={({ id }) => id}
          empty={<EmptyState title="No documents are shared yet." />}
          isMain
          {...(mayEdit ? { onOpen: ({ id }: DeskDocument) => setEditedId(id) } : {})}
        />
      </Section>
      {edited && (
        <EditDialog
          title={edited.title}
          fields={(values) => documentFields(groups, deskCase, edited, values)}
          stored={storedDocument(edited, deskCase)}
          changes={changes}
          find={(newest) => {
            const found = newest.documents.find(({ id }) => id === edited.id);
            return found ? storedDocument(found, newest) : null;
          }}
          save={(changed, version) =>
            changes.save(sendDocument(edited.id), documentEdit(changed, version, edited), {
              done: `${edited.title} saved.`,
              undone: `Change to ${edited.title} undone.`,
            })
          }
          onClose={() => setEditedId(null)}
        />
      )}
      {withdrawn && (
        <WithdrawDialog document={withdrawn} changes={changes} onClose={() => setWithdrawnId(null)} />
      )}
    </>
  );
}

function useColumns(
  { deskCase, mayEdit }: CasePartProps,
  { onEdit, onWithdraw }: { onEdit: (id: string) => void; onWithdraw: (id: string) => void },
): Column<DeskDocument>[] {
  const today = useToday();
  const { groups } = useDocumentGroups();
  return [
    {
      key: 'title',
      heading: 'Document',
      isRowHeader: true,
      cell: ({ title, superseded_by, withdrawn_at, awaits_check, for_client }) => (
        <>
          {title}
          {for_client && <span className={styles.soft}> ({audienceText(for_client, deskCase)})</span>}
          {withdrawn_at !== null && (
            <span className={styles.soft}> (withdrawn {formatMoment(withdrawn_at, today)})</span>
          )}
          {superseded_by !== null && <span className={styles.soft}> (replaced)</span>}
          {awaits_check && withdrawn_at === null && (
            <span className={styles.soft}> (not shown to clients until its search is reviewed)</span>
          )}
        </>
      ),
    },
    {
      key: 'group',
      heading: 'Folder',
      cell: ({ group }) => groups.find(({ value }) => value === group)?.name,
    },
    {
      key: 'shared',
      heading: 'Shared',
      cell: ({ shared_at, uploaded_by }) => `${formatShortDayOf(shared_at)}, ${uploaded_by}`,
    },
    { key: 'read', heading: 'Read by', cell: (document) => <Readers document={document} /> },
    {
      key: 'signed',
      heading: 'Signatures',
      cell: (document) => <Signatures document={document} deskCase={deskCase} />,
    },
    {
      key: 'actions',
      heading: 'Actions',
      isHeadingHidden: true,
      cell: ({ id, title, withdrawn_at, signatures }) => (
        <span className={styles.rowActions}>
          <a href={fileAddress(id)} target="_blank" rel="noreferrer">
            Open<VisuallyHidden> {title} in a new tab</VisuallyHidden>
          </a>
          {mayEdit && (
            <Button look="plain" aria-label={`Edit ${title}`} onClick={() => onEdit(id)}>
              Edit
            </Button>
          )}
          {mayEdit && withdrawn_at === null && signatures.length === 0 && (
            <Button look="plain" aria-label={`Withdraw ${title}`} onClick={() => onWithdraw(id)}>
              Withdraw
            </Button>
          )}
        </span>
      ),
    },
  ];
}

/** The clients who have read a document, or had seen it before it was withdrawn. */
function Readers({ document }: { document: DeskDocument }) {
  const { heading, none, readers } = readersOf(document, useToday());
  if (readers.length === 0) return <span className={styles.soft}>{none}</span>;
  return (
    <>
      {heading && <span className={styles.soft}>{heading}</span>}
      <ul>
        {readers.map(({ id, name, at }) => (
          <li key={id}>
            {name} {at}
          </li>
        ))}
      </ul>
    </>
  );
}

function Signatures({ document, deskCase }: { document: DeskDocument; deskCase: CasePartProps['deskCase'] }) {
  const today = useToday();
  const state = signingState(document, deskCase);
  return (
    <>
      {state && <StatusTag tone={state.tone}>{state.name}</StatusTag>}
      {(document.originals ?? []).length > 0 && (
        <ul>
          {document.originals?.map(({ client, received_on }) => (
            <li key={client.id}>
              {client.name}: original received {formatShortDay(received_on)}
            </li>
          ))}
        </ul>
      )}
      {document.signatures.length > 0 && (
        <ul>
          {document.signatures.map(({ client, signed_at }) => (
            <li key={client.id}>
              {client.name} {formatMoment(signed_at, today)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

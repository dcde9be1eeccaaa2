import type { CaseDocument, DocumentGroup, Matter, MatterType } from '@keyturn/contract';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '../../../api/client/api-error.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { useDocuments } from '../../../api/queries/use-documents.ts';
import { useIsSwitchingCase } from '../../../api/queries/use-switch-case.ts';
import { Field } from '../../../ui/base/field.tsx';
import { PageHeading } from '../../../ui/base/page-heading.tsx';
import { LoadFailure } from '../../../ui/states/load-failure.tsx';
import { CallUs } from '../call-us.tsx';
import { matterKind, matterWords } from '../document-labels.ts';
import styles from './document-group-page.module.css';
import { groupName, whatWillAppear } from './document-groups.ts';
import { DocumentList, DocumentListSkeleton } from './document-list.tsx';
import { type DocumentLine, documentLines, linesOfGroup, searchLines } from './document-rows.ts';
import { GroupNavigation } from './group-navigation.tsx';

/** The documents of one group, with the other groups beside it; a search looks through all of them. */
export function DocumentGroupPage() {
  const { matter_type, group } = useParams({ strict: false });
  // The route's own checks let nothing else through.
  const here = { matterType: matter_type as MatterType, group: group as DocumentGroup };
  const client = useClient();
  const documents = useDocuments();
  const isSwitching = useIsSwitchingCase();
  const conveyancingCase = isSwitching ? undefined : client.data?.conveyancing_case;
  const failed = [documents, client].filter(({ data, error }) => error && !data);

  if (failed.length > 0 && !isSwitching) {
    return (
      <Plain>
        <LoadFailure
          what="Your documents"
          message={messageOf(failed[0]?.error)}
          isTrying={failed.some(({ isFetching }) => isFetching)}
          onRetry={() => void Promise.all(failed.map(({ refetch }) => refetch()))}
        />
      </Plain>
    );
  }
  if (conveyancingCase === null) {
    return (
      <Plain>
        <p className={styles.empty}>
          Once your case is opened, every paper about it comes here, and stays here for you to read again.
        </p>
        <CallUs className={styles.call} />
      </Plain>
    );
  }
  const matters = conveyancingCase?.matters;
  if (matters && !matters.some((matter) => matter.matter_type === here.matterType)) {
    return <NoSuchMatter matterType={here.matterType} group={here.group} matters={matters} />;
  }
  return (
    <Group here={here} matters={matters} documents={matters && !isSwitching ? documents.data : undefined} />
  );
}

interface GroupProps {
  here: { matterType: MatterType; group: DocumentGroup };
  /** Undefined while they are on their way; the documents likewise. */
  matters: Matter[] | undefined;
  documents: CaseDocument[] | undefined;
}

function Group({ here, matters, documents }: GroupProps) {
  const { matterType, group } = here;
  const [query, setQuery] = useState('');
  const isLooking = query.trim() !== '';
  const lines = documents && documentLines(documents);
  const found = lines && searchLines(lines, query);
  const own = lines && linesOfGroup(lines, matterType, group);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <p className={styles.matter}>
          {matters ? matterWords(matterType, matters) : `Your ${matterKind(matterType)}`}
        </p>
        <PageHeading>{groupName(group)}</PageHeading>
      </header>
      <div className={styles.columns}>
        <GroupNavigation here={here} matters={matters} lines={lines} onMove={() => setQuery('')} />
        <div className={styles.column}>
          <search>
            <Field
              className={styles.search}
              label="Search all your documents"
              type="search"
              autoComplete="off"
              spellCheck={false}
              enterKeyHint="search"
              maxLength={100}
              value={query}
              onChange={(event) => setQuery(event.target.value)}
            />
            <p className={styles.found} role="status">
              {isLooking && found && foundWords(found)}
            </p>
          </search>
          {!lines ? (
            <DocumentListSkeleton />
          ) : isLooking && found ? (
            <DocumentList lines={found} label="Found documents" folderOf={folderIn(matters ?? [])} />
          ) : own && own.length > 0 ? (
            <DocumentList lines={own} label={groupName(group)} />
          ) : (
            <div className={styles.nothing}>
              <h2>Nothing here yet</h2>
              <p>{whatWillAppear(group, matterType)}</p>
            </div>
          )}
        </div>
      </div>
    </div>
  );
}

function foundWords(found: DocumentLine[]): string {
  if (found.length === 0) return 'No document has that in its name. Try fewer letters, or another word.';
  return found.length === 1
    ? '1 document in all your folders'
    : `${found.length} documents in all your folders`;
}

/** Where a found document lies; which matter too, where there are several. */
const folderIn =
  (matters: Matter[]) =>
  ({ group, matter_type }: CaseDocument) =>
    matters.length > 1 ? `${groupName(group)}, ${matterKind(matter_type)}` : groupName(group);

function NoSuchMatter({
  matterType,
  group,
  matters,
}: {
  matterType: MatterType;
  group: DocumentGroup;
  matters: Matter[];
}) {
  const types = [...new Set(matters.map(({ matter_type }) => matter_type))];
  return (
    <Plain>
      <p className={styles.empty}>Your case has no {matterKind(matterType)}. Its documents are here:</p>
      <ul className={styles.ways}>
        {types.map((type) => (
          <li key={type}>
            <Link to="/documents/$matter_type/$group" params={{ matter_type: type, group }}>
              {matterWords(type, matters)}
            </Link>
          </li>
        ))}
      </ul>
    </Plain>
  );
}

function Plain({ children }: { children: React.ReactNode }) {
  return (
    <div className={styles.plain}>
      <PageHeading>Documents</PageHeading>
      {children}
    </div>
  );
}

import { messageOf } from '@keyturn/browser/calls/api-error.ts';
import {
  type CaseDocument,
  caseStatusOf,
  type DocumentFolder,
  type DocumentGroup,
  type Matter,
  type MatterType,
} from '@keyturn/contract';
import { matterTypeInSentence } from '@keyturn/format/matter-names';
import { Field } from '@keyturn/ui/base/field.tsx';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { type ReactNode, useState } from 'react';
import { emptyText } from '../../../api/case/empty-text.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { useDocuments, useFolders } from '../../../api/queries/use-documents.ts';
import { useIsSwitchingCase } from '../../../api/queries/use-switch-case.ts';
import { Link } from '../../../navigation/link.tsx';
import { Navigate } from '../../../navigation/navigate.tsx';
import { useParams } from '../../../navigation/navigation.tsx';
import { CallUs } from '../call-us.tsx';
import { matterTitle } from '../document-labels.ts';
import styles from './document-group-page.module.css';
import { folderOf } from './document-groups.ts';
import { DocumentList, DocumentListSkeleton } from './document-list.tsx';
import { folderToOpen } from './folder-to-open.ts';
import { GroupNavigation } from './group-navigation.tsx';
import { documentsInGroup, listDocuments, searchDocuments } from './listed-documents.ts';

interface CurrentGroup {
  matterType: MatterType;
  /** Undefined until the folder to open is known. */
  group: DocumentGroup | undefined;
}

/** The screen of one document group, with links to the other groups and a search across all of them. */
export default function DocumentGroupPage() {
  const { matter_type, group } = useParams();
  const client = useClient();
  const documents = useDocuments();
  const isSwitching = useIsSwitchingCase();
  const conveyancingCase = isSwitching ? undefined : client.data?.conveyancing_case;
  const failedQueries = [documents, client].filter(({ data, error }) => error && !data);

  if (failedQueries.length > 0 && !isSwitching) {
    return (
      <PlainPage>
        <LoadFailure
          what="Your documents"
          message={messageOf(failedQueries[0]?.error)}
          isTrying={failedQueries.some(({ isFetching }) => isFetching)}
          onRetry={() => void Promise.all(failedQueries.map(({ refetch }) => refetch()))}
        />
      </PlainPage>
    );
  }
  if (conveyancingCase === null) {
    return (
      <PlainPage>
        <p className={styles.empty}>
          Once your case is open, you’ll find all its documents here and can read them at any time.
        </p>
        <CallUs className={styles.call} />
      </PlainPage>
    );
  }
  const matters = conveyancingCase?.matters;
  const shown = matters && !isSwitching ? documents.data : undefined;
  // The route has already validated both parameters; without any, the folder is not known until the documents are.
  const current = {
    matterType: (matter_type as MatterType | undefined) ?? matters?.[0]?.matter_type ?? 'purchase',
    group: group as DocumentGroup | undefined,
  };
  if (matter_type === undefined && matters && shown) {
    return (
      <>
        <Navigate to={folderToOpen(matters, listDocuments(shown))} />
        {/* An empty page would show the footer at its top for a moment. */}
        <Group current={current} matters={matters} documents={undefined} />
      </>
    );
  }
  if (matters && !matters.some((matter) => matter.matter_type === current.matterType)) {
    return <MissingMatter current={current} matters={matters} />;
  }
  return <Group current={current} matters={matters} documents={shown} />;
}

interface GroupProps {
  current: CurrentGroup;
  /** Undefined while loading. */
  matters: Matter[] | undefined;
  /** Undefined while loading. */
  documents: CaseDocument[] | undefined;
}

function Group({ current, matters, documents }: GroupProps) {
  const { matterType, group } = current;
  const [query, setQuery] = useState('');
  const folders = useFolders();
  const folder = group && folderOf(folders, matterType, group);
  const isSearching = query.trim() !== '';
  const listed = documents && listDocuments(documents);
  const results = listed && isSearching ? searchDocuments(listed, query) : undefined;
  const contents = group && listed && documentsInGroup(listed, matterType, group);
  return (
    <div className={styles.page}>
      <header>
        <p className={styles.matter}>
          {matters ? matterTitle(matterType, matters) : `Your ${matterTypeInSentence(matterType)}`}
        </p>
        <PageHeading>{folder?.name ?? 'Documents'}</PageHeading>
      </header>
      <div className={styles.columns}>
        <GroupNavigation
          current={current}
          matters={matters}
          documents={listed}
          folders={folders}
          onNavigate={() => setQuery('')}
        />
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
            <p className={styles.resultCount} role="status">
              {results && resultCountText(results.length)}
            </p>
          </search>
          {!contents ? (
            <DocumentListSkeleton />
          ) : results ? (
            <DocumentList
              documents={results}
              label="Documents found"
              folderName={folderNamer(matters ?? [], folders)}
            />
          ) : contents.length > 0 ? (
            <DocumentList documents={contents} label={folder?.name ?? 'Documents'} />
          ) : (
            <EmptyFolder current={current} matters={matters ?? []} text={folder?.empty_text ?? ''} />
          )}
        </div>
      </div>
    </div>
  );
}

function EmptyFolder({ current, matters, text }: { current: CurrentGroup; matters: Matter[]; text: string }) {
  const { group, matterType } = current;
  const statuses = matters
    .filter(({ matter_type }) => matter_type === matterType)
    .map(({ status }) => status);
  const status = caseStatusOf(statuses);
  // The papers of this folder only arrive once the matter is completed.
  const isAwaited = status === 'active' || (status === 'completed' && group === 'after-completion');
  return (
    <div className={styles.emptyGroup}>
      <h2>{isAwaited ? 'Nothing here yet' : 'No documents'}</h2>
      <p>{isAwaited ? text : emptyText(status, text)}</p>
    </div>
  );
}

function resultCountText(count: number): string {
  if (count === 0) return 'No documents found. Try fewer letters or a different word.';
  return count === 1
    ? '1 document found in all your folders'
    : `${count} documents found in all your folders`;
}

/** Names the folder of a document, with its matter type where the case has several matters. */
const folderNamer =
  (matters: Matter[], folders: DocumentFolder[] | undefined) =>
  ({ group, matter_type }: CaseDocument) => {
    const name = folderOf(folders, matter_type, group)?.name ?? '';
    return matters.length > 1 ? `${name}, ${matterTypeInSentence(matter_type)}` : name;
  };

/** Shown for a link to a matter type that this case does not have; it links to the matters there are. */
function MissingMatter({ current, matters }: { current: CurrentGroup; matters: Matter[] }) {
  const matterTypes = [...new Set(matters.map(({ matter_type }) => matter_type))];
  return (
    <PlainPage>
      <p className={styles.empty}>
        Your case doesn’t include a {matterTypeInSentence(current.matterType)}. You’ll find your documents
        here:
      </p>
      <ul className={styles.matterLinks}>
        {matterTypes.map((matterType) => (
          <li key={matterType}>
            <Link to={`/documents/${matterType}/${current.group ?? 'contract'}`}>
              {matterTitle(matterType, matters)}
            </Link>
          </li>
        ))}
      </ul>
    </PlainPage>
  );
}

function PlainPage({ children }: { children: ReactNode }) {
  return (
    <div className={styles.plain}>
      <PageHeading>Documents</PageHeading>
      {children}
    </div>
  );
}

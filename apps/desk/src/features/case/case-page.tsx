import type { DeskCase } from '@keyturn/contract/staff';
import { useMedia } from '@keyturn/ui/hooks/use-media.ts';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { type ComponentType, useEffect, useRef } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { caseInList, findNextCase } from '../../api/case-list.ts';
import { errorText } from '../../api/client/staff-error.ts';
import { useMember } from '../../api/desk-api.ts';
import { usePrefetchDocumentGroups } from '../../api/document-groups.ts';
import { Button } from '../../ui/base/button.tsx';
import { focusHeading } from '../../ui/base/focus-heading.ts';
import { PageHead } from '../../ui/base/page.tsx';
import { keepEarlyKeys, useShortcut } from '../../ui/keys/shortcuts.ts';
import styles from './case.module.css';
import type { CasePartProps } from './case-part-props.ts';
import { type CasePart, casePartFrom, caseParts, pathOfPart } from './case-parts.ts';
import { useCaseChanges, useDeskCase } from './case-queries.ts';
import { DocumentsPart } from './documents/documents-part.tsx';
import { CaseHeader } from './header/case-header.tsx';
import { HistoryPart } from './history/history-part.tsx';
import { MilestonesPart } from './milestones/milestones-part.tsx';
import { OverviewPart } from './overview/overview-part.tsx';
import { PaymentsPart } from './payments/payments-part.tsx';
import { PeoplePart } from './people/people-part.tsx';
import { ClientPreview } from './preview/client-preview.tsx';
import { SearchesPart } from './searches/searches-part.tsx';
import { UpdateComposer } from './update/update-composer.tsx';
import { useUpdateComposer } from './update/use-update-composer.ts';

const partContents: Record<Exclude<CasePart, 'preview'>, ComponentType<CasePartProps>> = {
  overview: OverviewPart,
  milestones: MilestonesPart,
  searches: SearchesPart,
  documents: DocumentsPart,
  people: PeoplePart,
  payments: PaymentsPart,
  history: HistoryPart,
};

/** The page of one case: everything that staff need to run it, next to the case as its clients see it. */
export default function CasePage({
  params: { id = '', part },
}: {
  params: Readonly<Record<string, string>>;
}) {
  const { data, error, isFetching, refetch } = useDeskCase(id);
  usePrefetchDocumentGroups();
  const isLoading = !data;
  useEffect(() => (isLoading ? keepEarlyKeys() : undefined), [isLoading]);
  if (data) return <LoadedCase deskCase={data} part={casePartFrom(part)} error={error} />;
  return (
    <>
      <PageHead title="Case" />
      {error ? (
        <LoadFailure
          what="The case"
          message={errorText(error)}
          isTrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <p role="status">Loading the case</p>
      )}
    </>
  );
}

/**
 * Focuses the button of the next case, or otherwise the heading, so that a member can work through a list without the
 * mouse.
 */
function focusAfterUpdate(): void {
  const next = document.querySelector<HTMLElement>('main [aria-keyshortcuts="n"]');
  if (next) next.focus();
  else focusHeading();
}

function LoadedCase({ deskCase, part, error }: { deskCase: DeskCase; part: CasePart; error: Error | null }) {
  const { id: memberId, role } = useMember();
  const mayEdit = role !== 'finance';
  const changes = useCaseChanges(deskCase.id);
  const composer = useUpdateComposer(deskCase, changes);
  const hasRoom = useMedia('(min-width: 1240px)');
  const [, navigate] = useLocation();
  const listName = useSearchParams()[0].get('list');
  const next = findNextCase(listName, { memberId, caseId: deskCase.id });
  const openNext = () => {
    if (next !== null && listName !== null) navigate(caseInList(next, listName));
  };
  useShortcut(mayEdit ? { keys: 'u', name: 'Write an update', group: 'On this page' } : null, composer.open);
  useShortcut(
    next === null ? null : { keys: 'n', name: 'Next case of the list', group: 'On this page' },
    openNext,
  );

  const Part = part === 'preview' ? null : partContents[part];
  return (
    <>
      <CaseHeader
        deskCase={deskCase}
        changes={changes}
        mayEdit={mayEdit}
        actions={
          <>
            {mayEdit && (
              <Button look="primary" onClick={composer.open} aria-keyshortcuts="u">
                Send an update
              </Button>
            )}
            {next !== null && (
              <Button onClick={openNext} aria-keyshortcuts="n">
                Next case
              </Button>
            )}
          </>
        }
      />
      {error && (
        <p className={styles.stale} role="status">
          This may be out of date. {errorText(error)}
        </p>
      )}
      <PartLinks caseId={deskCase.id} current={part} listName={listName} hasPreviewBeside={hasRoom} />
      <div className={styles.columns}>
        <div className={styles.main}>
          {composer.isOpen && <UpdateComposer composer={composer} onSending={focusAfterUpdate} />}
          {Part ? (
            <Part deskCase={deskCase} changes={changes} mayEdit={mayEdit} />
          ) : (
            <ClientPreview deskCase={deskCase} />
          )}
        </div>
        {hasRoom && part !== 'preview' && (
          <aside className={styles.beside} aria-label="As the client sees it">
            <ClientPreview deskCase={deskCase} />
          </aside>
        )}
      </div>
    </>
  );
}

/** Links to the parts of the case. Digits open them. */
function PartLinks({
  caseId,
  current,
  listName,
  hasPreviewBeside,
}: {
  caseId: string;
  current: CasePart;
  listName: string | null;
  hasPreviewBeside: boolean;
}) {
  const shown = (Object.keys(caseParts) as CasePart[]).filter(
    (part) => part !== 'preview' || !hasPreviewBeside || current === 'preview',
  );
  const query = listName === null ? '' : `?list=${encodeURIComponent(listName)}`;
  return (
    <nav className={styles.parts} aria-label="Parts of the case">
      {shown.map((part, index) => (
        <PartLink
          key={part}
          digit={index + 1}
          name={caseParts[part]}
          path={pathOfPart(caseId, part) + query}
          isCurrent={part === current}
        />
      ))}
    </nav>
  );
}

function PartLink({
  digit,
  name,
  path,
  isCurrent,
}: {
  digit: number;
  name: string;
  path: string;
  isCurrent: boolean;
}) {
  const [, navigate] = useLocation();
  const link = useRef<HTMLAnchorElement>(null);
  useShortcut({ keys: `${digit}`, name, group: 'On this page' }, () => {
    navigate(path);
    // Screen readers then announce the part, and the focused element may be gone.
    link.current?.focus();
  });
  return (
    <Link ref={link} to={path} aria-current={isCurrent ? 'page' : undefined}>
      {name}
    </Link>
  );
}

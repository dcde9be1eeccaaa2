import type { DocumentFolder, DocumentGroup, Matter, MatterType } from '@keyturn/contract';
import { Button } from '@keyturn/ui/base/button.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { useId, useState } from 'react';
import { Link } from '../../../navigation/link.tsx';
import { matterTitle } from '../document-labels.ts';
import { folderOf, groupsInOrder, isUsualGroup } from './document-groups.ts';
import styles from './group-navigation.module.css';
import { documentsInGroup, isUnread, type ListedDocument } from './listed-documents.ts';

export interface GroupNavigationProps {
  current: { matterType: MatterType; group: DocumentGroup | undefined };
  /** Undefined while loading. */
  matters: Matter[] | undefined;
  /** Undefined while loading. */
  documents: ListedDocument[] | undefined;
  /** Undefined while loading. */
  folders: DocumentFolder[] | undefined;
  onNavigate: () => void;
}

/** Links to the document groups of each matter, with document counts. Collapsed behind a button on a phone. */
export function GroupNavigation({ current, matters, documents, folders, onNavigate }: GroupNavigationProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const unread = documents?.filter(isUnread).length ?? 0;
  return (
    <nav className={styles.groups} aria-label="Folders" data-open={isOpen || undefined}>
      <Button
        look="quiet"
        size="small"
        className={styles.toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? 'Hide folders' : `All folders${unread > 0 ? ` (${unread} unread)` : ''}`}
      </Button>
      <div className={styles.list} id={id}>
        {matters && documents && folders ? (
          [...new Set(matters.map(({ matter_type }) => matter_type))].map((matterType) => (
            <MatterGroups
              key={matterType}
              matterType={matterType}
              title={matterTitle(matterType, matters)}
              current={current}
              documents={documents}
              folders={folders}
              onNavigate={() => {
                setIsOpen(false);
                onNavigate();
              }}
            />
          ))
        ) : (
          <GroupsSkeleton />
        )}
      </div>
    </nav>
  );
}

interface MatterGroupsProps {
  matterType: MatterType;
  title: string;
  current: GroupNavigationProps['current'];
  documents: ListedDocument[];
  folders: DocumentFolder[];
  onNavigate: () => void;
}

/** Lists the groups that contain documents; the empty ones are collapsed. */
function MatterGroups({ matterType, title, current, documents, folders, onNavigate }: MatterGroupsProps) {
  const groups = groupsInOrder.map((group) => ({
    group,
    contents: documentsInGroup(documents, matterType, group),
  }));
  const isCurrent = (group: DocumentGroup) => current.matterType === matterType && current.group === group;
  const used = groups.filter(({ group, contents }) => contents.length > 0 || isCurrent(group));
  const empty = groups.filter(
    ({ group, contents }) => contents.length === 0 && !isCurrent(group) && isUsualGroup(group, matterType),
  );
  const groupLink = ({ group, contents }: (typeof groups)[number]) => (
    <li key={group}>
      <Link to={`/documents/${matterType}/${group}`} className={styles.group} onClick={onNavigate}>
        <span>{folderOf(folders, matterType, group)?.name}</span>
        <Counts total={contents.length} unread={contents.filter(isUnread).length} />
      </Link>
    </li>
  );
  return (
    <div className={styles.matter}>
      <h2>{title}</h2>
      <ul>{used.map(groupLink)}</ul>
      {empty.length > 0 && (
        <details className={styles.empty}>
          <summary>{empty.length === 1 ? '1 empty folder' : `${empty.length} empty folders`}</summary>
          <ul>{empty.map(groupLink)}</ul>
        </details>
      )}
    </div>
  );
}

/** Placeholder with about as many groups as a matter usually uses. */
function GroupsSkeleton() {
  return (
    <div className={styles.matter} aria-hidden="true">
      <h2>
        <Skeleton width={176} />
      </h2>
      <ul>
        {groupsInOrder.slice(0, 12).map((group) => (
          <li key={group} className={styles.group}>
            <Skeleton width={[128, 160, 112][group.length % 3] ?? 128} />
            <Skeleton width={12} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Counts({ total, unread }: { total: number; unread: number }) {
  return (
    <span className={styles.counts}>
      {unread > 0 && <span className={styles.unread}>{unread} unread</span>}
      <span>
        {total}
        <VisuallyHidden>{total === 1 ? ' document' : ' documents'}</VisuallyHidden>
      </span>
    </span>
  );
}

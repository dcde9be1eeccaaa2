import type { DocumentGroup, Matter, MatterType } from '@keyturn/contract';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { Button } from '../../../ui/base/button.tsx';
import { VisuallyHidden } from '../../../ui/content/visually-hidden.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { matterWords } from '../document-labels.ts';
import { groupName, groupsInOrder, isUsual } from './document-groups.ts';
import { type DocumentLine, isUnread, linesOfGroup } from './document-rows.ts';
import styles from './group-navigation.module.css';

export interface GroupNavigationProps {
  here: { matterType: MatterType; group: DocumentGroup };
  /** Undefined while they are on their way; the lines likewise. */
  matters: Matter[] | undefined;
  lines: DocumentLine[] | undefined;
  onMove: () => void;
}

/** The groups of each matter of the case, with how many documents are in them. On a phone they open on demand. */
export function GroupNavigation({ here, matters, lines, onMove }: GroupNavigationProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const unread = lines?.filter(isUnread).length ?? 0;
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
        {isOpen ? 'Close the folders' : `All folders${unread > 0 ? ` (${unread} unread)` : ''}`}
      </Button>
      <div className={styles.list} id={id}>
        {matters && lines ? (
          [...new Set(matters.map(({ matter_type }) => matter_type))].map((matterType) => (
            <MatterGroups
              key={matterType}
              matterType={matterType}
              title={matterWords(matterType, matters)}
              here={here}
              lines={lines}
              onMove={() => {
                setIsOpen(false);
                onMove();
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
  here: GroupNavigationProps['here'];
  lines: DocumentLine[];
  onMove: () => void;
}

/** What is in use is listed; what is still empty stands behind one line. */
function MatterGroups({ matterType, title, here, lines, onMove }: MatterGroupsProps) {
  const groups = groupsInOrder.map((group) => ({ group, own: linesOfGroup(lines, matterType, group) }));
  const isHere = (group: DocumentGroup) => here.matterType === matterType && here.group === group;
  const used = groups.filter(({ group, own }) => own.length > 0 || isHere(group));
  const empty = groups.filter(
    ({ group, own }) => own.length === 0 && !isHere(group) && isUsual(group, matterType),
  );
  const linkTo = ({ group, own }: (typeof groups)[number]) => (
    <li key={group}>
      <Link
        to="/documents/$matter_type/$group"
        params={{ matter_type: matterType, group }}
        className={styles.group}
        onClick={onMove}
      >
        <span>{groupName(group)}</span>
        <Counts total={own.length} unread={own.filter(isUnread).length} />
      </Link>
    </li>
  );
  return (
    <div className={styles.matter}>
      <h2>{title}</h2>
      <ul>{used.map(linkTo)}</ul>
      {empty.length > 0 && (
        <details className={styles.empty}>
          <summary>
            {empty.length === 1 ? '1 folder is still empty' : `${empty.length} folders are still empty`}
          </summary>
          <ul>{empty.map(linkTo)}</ul>
        </details>
      )}
    </div>
  );
}

/** As many as a matter usually has in use. */
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

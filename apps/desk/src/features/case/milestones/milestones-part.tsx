import { useStore } from '@keyturn/browser/store/create-store.ts';
import type { MilestoneStatus } from '@keyturn/contract';
import type { DeskMatter, DeskMilestone } from '@keyturn/contract/staff';
import { formatDayRange, formatShortDay } from '@keyturn/format/dates';
import { matterTypeNames } from '@keyturn/format/matter-names';
import { StatusTag, type StatusTone } from '@keyturn/ui/content/status-tag.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { callStaff } from '../../../api/desk-api.ts';
import { Button } from '../../../ui/base/button.tsx';
import { EmptyState, Section } from '../../../ui/base/page.tsx';
import { shortcutChoice, useShortcut } from '../../../ui/keys/shortcuts.ts';
import { type Column, Table } from '../../../ui/table/table.tsx';
import styles from '../case.module.css';
import type { CasePartProps } from '../case-part-props.ts';
import { EditDialog } from '../edits/edit-dialog.tsx';
import { sendMilestone } from '../edits/send-edits.ts';
import { ExchangeDialog } from '../exchange/exchange-dialog.tsx';
import { matterName } from '../matter-name.ts';
import { saveQuiet } from '../quiet/save-quiet.ts';
import {
  allMilestones,
  milestoneEdit,
  milestoneFields,
  milestoneStatusNames,
  storedMilestone,
} from './milestone-edits.ts';
import { useToggleReached } from './use-toggle-reached.ts';
import { firstClientOf, WaitingFor } from './waiting-for.tsx';
import { waitingHint } from './waiting-hint.ts';

const tones: Record<MilestoneStatus, StatusTone> = {
  upcoming: 'off',
  current: 'moving',
  blocked: 'held',
  done: 'good',
  not_needed: 'off',
};

/** Every step of each matter, by stage. */
export function MilestonesPart(props: CasePartProps) {
  const { deskCase, mayEdit } = props;
  const [editedId, setEditedId] = useState<string | null>(null);
  const edited = allMilestones(deskCase).find(({ id }) => id === editedId);
  useShortcut(
    mayEdit ? { keys: 'Space', name: 'Mark a step as reached, or reopen it', group: 'In a list' } : null,
    null,
  );
  return (
    <>
      {deskCase.matters.map((matter, index) => (
        <Section key={matter.id} title={matterName(matter)}>
          <MilestoneTable {...props} matter={matter} isMain={index === 0} onEdit={setEditedId} />
        </Section>
      ))}
      {edited && <MilestoneDialog {...props} milestone={edited} onClose={() => setEditedId(null)} />}
    </>
  );
}

function MilestoneTable({
  deskCase,
  changes,
  mayEdit,
  matter,
  isMain,
  onEdit,
}: CasePartProps & { matter: DeskMatter; isMain: boolean; onEdit(id: string): void }) {
  const today = useToday();
  const toggleReached = useToggleReached(changes);
  const hasKeys = useStore(shortcutChoice) === 'on';
  const { milestones } = matter;
  const [exchange, setExchange] = useState<'mark' | 'take-back' | null>(null);
  const setQuiet = ({ id, is_quiet, title }: DeskMilestone) =>
    void saveQuiet(changes, deskCase.id, { milestone_id: id, is_quiet: !is_quiet }, title);
  /** Exchange and completion are marked in a form, because one key press must not commit to what clients read. */
  const toggle = (milestone: DeskMilestone) => {
    if (milestone.key === 'exchanged') setExchange(milestone.status === 'done' ? 'take-back' : 'mark');
    else if (milestone.key === 'completed') onEdit(milestone.id);
    else toggleReached(milestone);
  };
  const columns: Column<DeskMilestone>[] = [
    {
      key: 'title',
      heading: 'Step',
      isRowHeader: true,
      cell: ({ id, title, stage, position }) => (
        <span data-milestone={id} className={styles.step}>
          <StageName milestones={milestones} stage={stage.title} position={position} />
          {title}
        </span>
      ),
    },
    {
      key: 'status',
      heading: 'Status',
      cell: ({ status, reached_on, is_quiet }) => (
        <>
          <StatusTag tone={tones[status]}>
            {milestoneStatusNames[status]}
            {status === 'done' && reached_on && ` ${formatShortDay(reached_on)}`}
          </StatusTag>
          {is_quiet && isUnderWay(status) && <span className={styles.soft}> Quiet</span>}
        </>
      ),
    },
    {
      key: 'waiting',
      heading: 'Waiting for',
      cell: (milestone) => <WaitingFor milestone={milestone} firstClient={firstClientOf(deskCase)} />,
    },
    {
      key: 'expected',
      heading: 'Expected',
      cell: ({ expected_from, expected_to, status }) =>
        status === 'done' || !expected_from || !expected_to
          ? null
          : formatDayRange(expected_from, expected_to, today),
    },
    {
      key: 'promise',
      heading: 'Next update by',
      cell: ({ next_update_by, status }) => {
        if (!next_update_by || (status !== 'current' && status !== 'blocked')) return null;
        return <PromisedDay day={next_update_by} today={today} />;
      },
    },
    ...(mayEdit ? [actionsColumn(toggle, onEdit, deskCase.is_quiet ? null : setQuiet)] : []),
  ];
  const onKeyDown = (event: KeyboardEvent) => {
    const row = event.target instanceof HTMLTableRowElement ? event.target : null;
    const id = row?.querySelector<HTMLElement>('[data-milestone]')?.dataset.milestone;
    const milestone = milestones.find((other) => other.id === id);
    if (event.key !== ' ' || !hasKeys || !mayEdit || !milestone) return;
    event.preventDefault();
    toggle(milestone);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows of the table have the focus.
    <div onKeyDown={onKeyDown}>
      <Table
        label={`Milestones of the ${matterTypeNames[matter.matter_type].toLowerCase()} ${deskCase.reference}`}
        columns={columns}
        query={{ data: milestones, error: null, isFetching: false, refetch: changes.refresh }}
        keyOf={({ id }) => id}
        empty={<EmptyState title="This matter has no milestones yet." />}
        isMain={isMain}
        {...(mayEdit ? { onOpen: ({ id }: DeskMilestone) => onEdit(id) } : {})}
      />
      {exchange && (
        <ExchangeDialog
          matter={matter}
          takesBack={exchange === 'take-back'}
          changes={changes}
          onClose={() => setExchange(null)}
        />
      )}
    </div>
  );
}

function actionsColumn(
  toggle: (milestone: DeskMilestone) => void,
  onEdit: (id: string) => void,
  setQuiet: ((milestone: DeskMilestone) => void) | null,
): Column<DeskMilestone> {
  return {
    key: 'actions',
    heading: 'Actions',
    isHeadingHidden: true,
    cell: (milestone) => (
      <span className={styles.rowActions}>
        <Button
          look="plain"
          aria-label={`${toggleText(milestone)}: ${milestone.title}`}
          onClick={() => toggle(milestone)}
        >
          {toggleText(milestone)}
        </Button>
        <Button look="plain" aria-label={`Edit ${milestone.title}`} onClick={() => onEdit(milestone.id)}>
          Edit
        </Button>
        {setQuiet && isUnderWay(milestone.status) && (
          <Button
            look="plain"
            aria-label={`${quietText(milestone)}: ${milestone.title}`}
            onClick={() => setQuiet(milestone)}
          >
            {quietText(milestone)}
          </Button>
        )}
      </span>
    ),
  };
}

const isUnderWay = (status: MilestoneStatus) => status === 'current' || status === 'blocked';

const quietText = ({ is_quiet }: DeskMilestone) => (is_quiet ? 'End quiet' : 'Make quiet');

const toggleText = ({ key, status }: DeskMilestone) => {
  const isInForm = key === 'exchanged' || key === 'completed';
  return `${status === 'done' ? 'Reopen' : 'Mark as reached'}${isInForm ? '…' : ''}`;
};

/** The stage of a step. Shown once for consecutive steps, and read out for each. */
function StageName({
  milestones,
  stage,
  position,
}: {
  milestones: readonly DeskMilestone[];
  stage: string;
  position: number;
}) {
  const index = milestones.findIndex((milestone) => milestone.position === position);
  const isRepeated = milestones[index - 1]?.stage.title === stage;
  return <span className={isRepeated ? styles.repeated : styles.soft}>{stage}</span>;
}

/** The day of a promise, with what it means today. */
export function PromisedDay({ day, today }: { day: string; today: string }) {
  if (day < today) return <StatusTag tone="held">Missed {formatShortDay(day)}</StatusTag>;
  if (day === today) return <StatusTag tone="to-do">Today</StatusTag>;
  return <>{formatShortDay(day)}</>;
}

/** The form of a milestone. */
export function MilestoneDialog({
  deskCase,
  changes,
  milestone,
  onClose,
}: CasePartProps & { milestone: DeskMilestone; onClose(): void }) {
  const today = useToday();
  const { id, title } = milestone;
  const { data: texts } = useQuery({
    queryKey: ['GET /staff/waiting-texts', null],
    queryFn: ({ signal }) => callStaff('GET /staff/waiting-texts', { signal }),
  });
  const choiceWith = texts && milestone.is_quiet ? (milestone.own_waiting_for ?? '') : null;
  return (
    <EditDialog
      title={title}
      fields={(values) =>
        milestoneFields(waitingHint(milestone, values, firstClientOf(deskCase)), {
          texts: texts?.value ?? [],
          choiceWith,
        })
      }
      stored={storedMilestone(milestone)}
      changes={changes}
      find={(newest) => {
        const found = allMilestones(newest).find((other) => other.id === id);
        return found ? storedMilestone(found) : null;
      }}
      save={(changed, version) =>
        changes.save(sendMilestone(id), milestoneEdit(changed, { version, today }), {
          done: `${title} saved.`,
          undone: `Change to ${title} undone.`,
        })
      }
      onClose={onClose}
    />
  );
}

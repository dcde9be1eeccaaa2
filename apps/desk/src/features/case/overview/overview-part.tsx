import type { DeskMatter, DeskMilestone } from '@keyturn/contract/staff';
import { formatDayRange } from '@keyturn/format/dates';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useState } from 'react';
import { Button } from '../../../ui/base/button.tsx';
import { Section } from '../../../ui/base/page.tsx';
import styles from '../case.module.css';
import type { CasePartProps } from '../case-part-props.ts';
import { ExchangeDialog } from '../exchange/exchange-dialog.tsx';
import { HistoryList } from '../history/history-list.tsx';
import { matterName } from '../matter-name.ts';
import { allMilestones } from '../milestones/milestone-edits.ts';
import { MilestoneDialog, PromisedDay } from '../milestones/milestones-part.tsx';
import { useToggleReached } from '../milestones/use-toggle-reached.ts';
import { firstClientOf, WaitingFor } from '../milestones/waiting-for.tsx';
import { QuietSection } from '../quiet/quiet-section.tsx';
import { stepsUnderWay } from '../update/promise-choices.ts';
import { Cancellation } from './cancellation.tsx';
import { CaseTasks } from './case-tasks.tsx';
import { Features } from './features.tsx';
import { KeyDates } from './key-dates.tsx';

/** The party to act next in each step, the tasks of the clients, the key dates and the newest entries. */
export function OverviewPart(props: CasePartProps) {
  const { deskCase } = props;
  return (
    <>
      <Section title="Waiting for">
        <WaitingList {...props} />
      </Section>
      <CaseTasks {...props} />
      <KeyDates {...props} />
      <Features {...props} />
      <Cancellation {...props} />
      <QuietSection {...props} />
      <Section title="Latest entries">
        <HistoryList entries={deskCase.history.slice(0, 5)} />
      </Section>
    </>
  );
}

/** Every step under way: the party that has to act, since when, and the day of the next promised update. */
function WaitingList(props: CasePartProps) {
  const { deskCase, changes, mayEdit } = props;
  const [editedId, setEditedId] = useState<string | null>(null);
  const edited = allMilestones(deskCase).find(({ id }) => id === editedId);
  const [exchangedId, setExchangedId] = useState<string | null>(null);
  const exchanged = deskCase.matters.find(({ id }) => id === exchangedId);
  const toggleReached = useToggleReached(changes);
  const steps = deskCase.matters.flatMap((matter) =>
    stepsUnderWay(matter.milestones).map((milestone) => ({ matter, milestone })),
  );
  if (steps.length === 0) return <p className={styles.soft}>No step is under way.</p>;
  return (
    <>
      <ul className={styles.list}>
        {steps.map(({ matter, milestone }) => (
          <li key={milestone.id}>
            <StepFacts
              milestone={milestone}
              matter={deskCase.matters.length > 1 ? matter : null}
              firstClient={firstClientOf(deskCase)}
            />
            {mayEdit && (
              <span className={styles.rowActions}>
                <Button
                  look="plain"
                  aria-label={`Mark as reached: ${milestone.title}`}
                  onClick={() => {
                    if (milestone.key === 'exchanged') setExchangedId(matter.id);
                    else if (milestone.key === 'completed') setEditedId(milestone.id);
                    else toggleReached(milestone);
                  }}
                >
                  Mark as reached
                </Button>
                <Button
                  look="plain"
                  aria-label={`Edit ${milestone.title}`}
                  onClick={() => setEditedId(milestone.id)}
                >
                  Edit
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {exchanged && (
        <ExchangeDialog
          matter={exchanged}
          takesBack={false}
          changes={changes}
          onClose={() => setExchangedId(null)}
        />
      )}
      {edited && <MilestoneDialog {...props} milestone={edited} onClose={() => setEditedId(null)} />}
    </>
  );
}

/** @param matter null if the case has only one */
function StepFacts({
  milestone,
  matter,
  firstClient,
}: {
  milestone: DeskMilestone;
  matter: DeskMatter | null;
  firstClient: string;
}) {
  const today = useToday();
  const { title, next_update_by, expected_from, expected_to } = milestone;
  return (
    <div>
      <h3>
        {title}
        {matter && <span className={styles.soft}> {matterName(matter)}</span>}
      </h3>
      <p className={styles.facts}>
        <span>
          Waiting for <WaitingFor milestone={milestone} firstClient={firstClient} />
        </span>
        {next_update_by && (
          <span>
            Next update by <PromisedDay day={next_update_by} today={today} />
          </span>
        )}
        {expected_from && expected_to && (
          <span>Expected {formatDayRange(expected_from, expected_to, today)}</span>
        )}
      </p>
    </div>
  );
}

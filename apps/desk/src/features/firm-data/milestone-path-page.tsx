import { type MatterType, matterTypes } from '@keyturn/contract';
import { formatMonthRange } from '@keyturn/format/dates';
import { matterTypeNames } from '@keyturn/format/matter-names';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useState } from 'react';
import { callStaff, useMember } from '../../api/desk-api.ts';
import { PageHead } from '../../ui/base/page.tsx';
import { SelectField, TextField } from '../../ui/forms/fields.tsx';
import { enteredPath, isOldFigure, placeInPath, toMilestonePath } from './entered-path.ts';
import styles from './firm-data.module.css';
import { PathFields } from './path-fields.tsx';
import { RunningMatters } from './running-matters.tsx';
import { SettingsForm } from './settings-form.tsx';
import { useSave, useVersioned } from './use-versioned.ts';

/** Where admins change the steps that new matters have. */
export default function MilestonePathPage() {
  const [matterType, setMatterType] = useState<MatterType>('purchase');
  return (
    <>
      <PageHead title="Milestone paths">
        The steps of each type of matter, as clients read them. New matters get a changed path. Running
        matters keep theirs until you apply it to them.
      </PageHead>
      <SelectField<MatterType>
        className={styles.type}
        label="Type of matter"
        value={matterType}
        options={matterTypes.map((value) => ({ value, name: matterTypeNames[value] }))}
        onChoose={setMatterType}
      />
      <PathForm key={matterType} matterType={matterType} />
    </>
  );
}

function PathForm({ matterType }: { matterType: MatterType }) {
  const params = { matter_type: matterType };
  const settings = useVersioned(
    'GET /staff/milestone-paths/{matter_type}',
    (path) => ({ stages: enteredPath(path), figuresOf: path.figures_of ?? '' }),
    params,
  );
  const entered = settings.current?.entered;
  const { role } = useMember();
  const save = useSave(settings, {
    toValue: ({ stages, figuresOf }) => ({ ...toMilestonePath(stages), figures_of: figuresOf || null }),
    send: (body) => callStaff('PUT /staff/milestone-paths/{matter_type}', { params, body }),
    changed: 'Path saved for new matters.',
    restored: 'Path restored.',
  });
  return (
    <>
      {role === 'admin' && settings.stored && (
        <RunningMatters matterType={matterType} version={settings.stored.version} />
      )}
      <SettingsForm
        what="the path"
        settings={settings}
        onSave={save}
        placeOf={(field) => entered && placeInPath(entered.stages, field)}
      >
        {(errors) =>
          entered && (
            <>
              <FiguresDay
                day={entered.figuresOf}
                error={errors['value.figures_of']}
                onChange={(figuresOf) => settings.change({ ...entered, figuresOf })}
              />
              <PathFields
                // Items of another version have different ids.
                key={settings.current?.version}
                matterType={matterType}
                entered={entered.stages}
                onChange={(stages) => settings.change({ ...entered, stages })}
                errors={errors}
              />
            </>
          )
        }
      </SettingsForm>
    </>
  );
}

/** The day of the figures in the usual times, marked once it is more than a year ago. */
function FiguresDay({
  day,
  error,
  onChange,
}: {
  day: string;
  error: string | undefined;
  onChange(day: string): void;
}) {
  const today = useToday();
  return (
    <>
      <TextField
        type="date"
        className={styles.type}
        label="Usual times are figures of"
        hint={`Clients read “figures of ${day ? formatMonthRange(day, day) : 'November 2026'}” next to each usual time.`}
        max={today}
        value={day}
        error={error}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {isOldFigure(day, today) && (
        <Alert tone="attention" className={styles.notice} title={oldFigureTitle(day)}>
          <p>Check the usual times of all steps, and enter the day of the new figures.</p>
        </Alert>
      )}
    </>
  );
}

const oldFigureTitle = (day: string) =>
  day === '' ? 'The usual times have no day' : 'The usual times are more than twelve months old';

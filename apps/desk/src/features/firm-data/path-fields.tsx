import type { MatterType } from '@keyturn/contract';
import { requiredSteps, stepsWithUsualWeeks } from '@keyturn/contract/staff';
import { useMember } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { SelectField, TextAreaField, TextField } from '../../ui/forms/fields.tsx';
import { EditedItem, type EditedItems, useEditedItems } from './edited-item.tsx';
import { moved, problemInWords, replaced, unusedId, without } from './entered-members.ts';
import {
  canMoveStep,
  type EnteredPath,
  type EnteredStation,
  type EnteredStep,
  memberOfField,
  withMovedStep,
  withNewStation,
  withNewStep,
  withoutStep,
  withStep,
} from './entered-path.ts';
import styles from './firm-data.module.css';

interface PathProps {
  matterType: MatterType;
  entered: EnteredPath;
  onChange(entered: EnteredPath): void;
  /** What the server refuses, by the path of the field. */
  errors: Record<string, string>;
}

/** The stations of a path with their steps. */
export function PathFields(props: PathProps) {
  const { entered, onChange } = props;
  const { role } = useMember();
  const items = useEditedItems();
  return (
    <div ref={items.box}>
      {entered.map((station, index) => (
        <StationFields key={station.id} {...props} station={station} index={index} items={items} />
      ))}
      {role === 'admin' && (
        <p className={styles.add}>
          <Button
            onClick={() => {
              const changed = withNewStation(entered);
              onChange(changed);
              items.showNew(changed.at(-1)?.id ?? 0);
            }}
          >
            Add a station
          </Button>
        </p>
      )}
    </div>
  );
}

function StationFields({
  matterType,
  entered,
  onChange,
  errors,
  station,
  index,
  items,
}: PathProps & { station: EnteredStation; index: number; items: EditedItems }) {
  const { role } = useMember();
  const name = station.title || `station ${index + 1}`;
  const stepsBefore = entered.slice(0, index).reduce((count, { steps }) => count + steps.length, 0);
  const move = (by: -1 | 1) => {
    onChange(moved(entered, index, by));
    items.followMove(station.id, by);
  };
  const problem = problemOf(entered, errors, station.id);
  return (
    <fieldset className={styles.card} data-item={station.id}>
      <legend>
        Station {index + 1}
        {station.title && `: ${station.title}`}
      </legend>
      <div className={styles.station}>
        <TextField
          label="Title of the station"
          maxLength={60}
          autoComplete="off"
          value={station.title}
          error={problem}
          onChange={({ currentTarget }) =>
            onChange(replaced(entered, { ...station, title: currentTarget.value }))
          }
        />
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={station.key_moment}
            onChange={({ currentTarget }) =>
              onChange(replaced(entered, { ...station, key_moment: currentTarget.checked }))
            }
          />
          A key moment, shown larger
        </label>
        {role === 'admin' && (
          <div className={styles.moves}>
            <Button
              data-move="-1"
              disabled={index === 0}
              aria-label={`Move up the station ${name}`}
              onClick={() => move(-1)}
            >
              Move up
            </Button>
            <Button
              data-move="1"
              disabled={index === entered.length - 1}
              aria-label={`Move down the station ${name}`}
              onClick={() => move(1)}
            >
              Move down
            </Button>
            {station.steps.length === 0 && (
              <Button
                look="plain"
                aria-label={`Remove the station ${name}`}
                onClick={() => {
                  onChange(without(entered, station.id));
                  items.show((entered[index - 1] ?? entered[index + 1])?.id ?? -1);
                }}
              >
                Remove
              </Button>
            )}
          </div>
        )}
      </div>
      {station.steps.length === 0 && (
        <p className={styles.note}>No steps yet. Add one, move one here, or remove the station.</p>
      )}
      <ol className={styles.list}>
        {station.steps.map((step, place) => (
          <EditedItem
            key={step.id}
            id={step.id}
            items={items}
            name={`${stepsBefore + place + 1}. ${step.title || 'New step'}`}
            summary={summaryOf(step)}
            problem={problemOf(entered, errors, step.id)}
            moves={([-1, 1] as const).filter((by) => canMoveStep(entered, step.id, by))}
            onMove={(by) => onChange(withMovedStep(entered, step.id, by))}
            onRemove={
              requiredSteps[matterType].includes(step.key)
                ? undefined
                : () => onChange(withoutStep(entered, step.id))
            }
          >
            <StepFields
              step={step}
              isRequired={requiredSteps[matterType].includes(step.key)}
              onChange={(changed) => onChange(withStep(entered, changed))}
            />
          </EditedItem>
        ))}
      </ol>
      {role === 'admin' && (
        <Button
          onClick={() => {
            const id = unusedId(entered.flatMap((each) => [each, ...each.steps]));
            onChange(withNewStep(entered, station.id));
            items.showNew(id);
          }}
        >
          Add a step to {station.title ? `“${station.title}”` : 'this station'}
        </Button>
      )}
    </fieldset>
  );
}

function problemOf(path: EnteredPath, errors: Record<string, string>, id: number): string | undefined {
  const found = Object.entries(errors)
    .filter(([field]) => memberOfField(path, field)?.id === id)
    .map(([field, message]) => problemInWords(field, message));
  return found.join('. ') || undefined;
}

function summaryOf({ actor, from, to }: EnteredStep): string {
  const actorName = actors.find(({ value }) => value === actor)?.name;
  return from === '' ? `${actorName}` : `${actorName}, usually ${from} to ${to} working days`;
}

function StepFields({
  step,
  isRequired,
  onChange,
}: {
  step: EnteredStep;
  /** Whether Keyturn depends on its key. */
  isRequired: boolean;
  onChange(step: EnteredStep): void;
}) {
  const fieldOf = (name: 'key' | 'title' | 'explanation' | 'from' | 'to' | 'weeks_from' | 'weeks_to') => ({
    value: step[name],
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange({ ...step, [name]: currentTarget.value }),
  });
  return (
    <div className={styles.wide}>
      <div className={styles.pair}>
        <TextField
          label="Title"
          hint="True before, during and after the step."
          maxLength={200}
          {...fieldOf('title')}
        />
        <TextField
          label="Key"
          hint={
            isRequired ? 'Keyturn depends on this step.' : 'What the case feed calls it, such as survey_done.'
          }
          maxLength={100}
          readOnly={isRequired}
          {...fieldOf('key')}
        />
      </div>
      <TextAreaField label="Explanation" maxLength={1000} {...fieldOf('explanation')} />
      <div className={styles.pair}>
        <SelectField
          label="Next to act"
          value={step.actor}
          options={actors}
          onChoose={(actor) => onChange({ ...step, actor })}
        />
        <TextField label="Usual working days, from" inputMode="numeric" {...fieldOf('from')} />
        <TextField label="To" inputMode="numeric" {...fieldOf('to')} />
        {stepsWithUsualWeeks.includes(step.key) && (
          <>
            <TextField
              label="Usual weeks after opening, from"
              inputMode="numeric"
              {...fieldOf('weeks_from')}
            />
            <TextField label="To (weeks)" inputMode="numeric" {...fieldOf('weeks_to')} />
          </>
        )}
      </div>
    </div>
  );
}

const actors = [
  { value: 'you', name: 'The client' },
  { value: 'us', name: 'Your firm' },
  { value: 'other_side', name: 'The other side' },
  { value: 'third_party', name: 'Someone else' },
] as const;

import { matterFeatures } from '@keyturn/contract';
import { stepsWithUsualWeeks } from '@keyturn/contract/staff';
import { matterFeatureNames } from '@keyturn/format/matter-names';
import { Checkbox } from '@keyturn/ui/base/field.tsx';
import { SelectField, TextAreaField, TextField } from '../../ui/forms/fields.tsx';
import type { EnteredStep } from './entered-path.ts';
import styles from './firm-data.module.css';

/** Describes a step in one line, with its actor, its usual duration and the matters that have it. */
export function summaryOf({ actor, from, to, features = [] }: EnteredStep): string {
  const actorName = actors.find(({ value }) => value === actor)?.name;
  const usual = from === '' ? '' : `, usually ${from} to ${to} working days`;
  const only = features.map((feature) => matterFeatureNames[feature]).join(', or ');
  return `${actorName}${usual}${only && `. Only for: ${only}`}`;
}

/** The fields of a step. */
export function StepFields({
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
      {!isRequired && (
        <fieldset className={styles.features}>
          <legend>Only in matters with one of these; without a choice, in all</legend>
          {matterFeatures.map((feature) => (
            <Checkbox
              key={feature}
              label={matterFeatureNames[feature]}
              checked={step.features?.includes(feature) ?? false}
              onChange={({ currentTarget: { checked } }) =>
                onChange({
                  ...step,
                  features: matterFeatures.filter((each) =>
                    each === feature ? checked : step.features?.includes(each),
                  ),
                })
              }
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}

const actors = [
  { value: 'you', name: 'The client' },
  { value: 'us', name: 'Your firm' },
  { value: 'other_side', name: 'The other side' },
  { value: 'third_party', name: 'Someone else' },
] as const;

import type { MatterType } from '@keyturn/contract';
import { requiredSteps, stepsWithUsualWeeks } from '@keyturn/contract/staff';
import { useRef } from 'react';
import { useMember } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { SelectField, TextAreaField, TextField } from '../../ui/forms/fields.tsx';
import { moved } from './entered-catalogue.ts';
import { type EnteredPath, type EnteredStep, withNewStep } from './entered-path.ts';
import styles from './firm-data.module.css';

/** The stations and the steps of a path. */
export function PathFields({
  matterType,
  entered,
  onChange,
}: {
  matterType: MatterType;
  entered: EnteredPath;
  onChange(entered: EnteredPath): void;
}) {
  const { role } = useMember();
  const list = useRef<HTMLOListElement>(null);
  const focusLater = (selector: string) =>
    // After the list has its new order.
    setTimeout(() => list.current?.querySelector<HTMLElement>(selector)?.focus());
  const { stations, steps } = entered;
  const move = (index: number, by: -1 | 1) => {
    onChange({ stations, steps: moved(steps, index, by) });
    focusLater(`li:nth-child(${index + by + 1}) [data-move="${by}"]`);
  };
  const replace = (index: number, step: EnteredStep) =>
    onChange({ stations, steps: steps.map((other, place) => (place === index ? step : other)) });
  return (
    <>
      <fieldset className={styles.card}>
        <legend>Stations of the stage tracker</legend>
        <div className={styles.pair}>
          {stations.map((station, index) => (
            <TextField
              // biome-ignore lint/suspicious/noArrayIndexKey: a station is its position
              key={index}
              label={`Station ${index + 1}${station.key_moment ? ' (key moment)' : ''}`}
              maxLength={60}
              value={station.title}
              onChange={({ currentTarget }) =>
                onChange({
                  steps,
                  stations: stations.map((other, place) =>
                    place === index ? { ...station, title: currentTarget.value } : other,
                  ),
                })
              }
            />
          ))}
        </div>
      </fieldset>
      <ol className={styles.list} ref={list}>
        {steps.map((step, index) => (
          <li key={step.id}>
            <fieldset className={styles.card}>
              <legend>
                {index + 1}. {step.title || 'New step'}
              </legend>
              <StepFields
                step={step}
                stations={stations}
                isRequired={requiredSteps[matterType].includes(step.key)}
                onChange={(changed) => replace(index, changed)}
              />
              {role === 'admin' && (
                <div className={styles.moves}>
                  <Button
                    data-move="-1"
                    disabled={index === 0}
                    aria-label={`Move ${step.title} up`}
                    onClick={() => move(index, -1)}
                  >
                    Move up
                  </Button>
                  <Button
                    data-move="1"
                    disabled={index === steps.length - 1}
                    aria-label={`Move ${step.title} down`}
                    onClick={() => move(index, 1)}
                  >
                    Move down
                  </Button>
                  {!requiredSteps[matterType].includes(step.key) && (
                    <Button
                      look="plain"
                      aria-label={`Remove ${step.title || 'the new step'}`}
                      onClick={() =>
                        onChange({ stations, steps: steps.filter((_other, place) => place !== index) })
                      }
                    >
                      Remove
                    </Button>
                  )}
                </div>
              )}
            </fieldset>
          </li>
        ))}
      </ol>
      {role === 'admin' && (
        <Button
          onClick={() => {
            onChange(withNewStep(entered));
            focusLater('li:last-child input');
          }}
        >
          Add a step
        </Button>
      )}
    </>
  );
}

function StepFields({
  step,
  stations,
  isRequired,
  onChange,
}: {
  step: EnteredStep;
  stations: EnteredPath['stations'];
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
          hint={isRequired ? 'Keyturn depends on this step.' : 'What the case feed calls it.'}
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
        <SelectField
          label="Station"
          value={String(step.station)}
          options={stations.map(({ title }, index) => ({ value: String(index), name: title }))}
          onChoose={(station) => onChange({ ...step, station: Number(station) })}
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

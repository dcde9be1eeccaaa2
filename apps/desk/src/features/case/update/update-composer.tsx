import { useAction } from '@keyturn/browser/action/use-action.ts';
import { maxUpdateLength } from '@keyturn/contract/staff';
import { addDays, formatNearDay } from '@keyturn/format/london-time';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { codeOf, errorText } from '../../../api/client/staff-error.ts';
import { Button } from '../../../ui/base/button.tsx';
import { Section } from '../../../ui/base/page.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { FormButtons, TextAreaField, TextField } from '../../../ui/forms/fields.tsx';
import styles from '../case.module.css';
import { type PromiseChoice, promiseChoices, promisedDay } from './promise-choices.ts';
import type { UpdateComposerState } from './use-update-composer.ts';

export interface UpdateComposerProps {
  composer: UpdateComposerState;
  /** Moves the focus to the next element after sending. */
  onSending(): void;
}

/** The form in which an update is written, with the promise of the next one. */
export function UpdateComposer({ composer, onSending }: UpdateComposerProps) {
  const { draft, change, day, recipients, reference, focusRequests } = composer;
  const form = useRef<HTMLFormElement>(null);
  const isShown = useIsShown();
  const { isBusy, failure, run } = useAction((error) => {
    if (isShown()) return;
    const text = `The update for ${reference} was not sent, and is kept there. ${errorText(error)}`;
    showToast(text, { tone: 'danger', stays: true });
  });
  useEffect(() => {
    if (focusRequests > 0) form.current?.querySelector('textarea')?.focus();
  }, [focusRequests]);

  const missingText = draft.text.trim() === '' ? 'Write what has happened, or what happens next.' : null;
  const dayError = day === undefined ? 'Choose a day from today on, within two years.' : null;
  const [isChecked, setChecked] = useState(false);

  const send = () => {
    setChecked(true);
    if (missingText || dayError) return;
    void run(() => {
      // Runs before the answer arrives, so that the next case need not wait for it.
      onSending();
      return composer.send(recipients);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      composer.close();
    }
  };
  return (
    <Section title="Send an update">
      <form
        ref={form}
        className={styles.composer}
        method="post"
        noValidate
        onKeyDown={onKeyDown}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          send();
        }}
      >
        {failure !== null && <Failure failure={failure} />}
        <TextAreaField
          label={`Update for ${recipients}`}
          rows={4}
          maxLength={maxUpdateLength}
          value={draft.text}
          readOnly={isBusy}
          error={isChecked && missingText}
          onChange={({ currentTarget }) => change({ text: currentTarget.value })}
        />
        <PromiseFields composer={composer} error={isChecked ? dayError : null} />
        <FormButtons>
          <Button
            type="submit"
            look="primary"
            busy={isBusy}
            busyText="Sending"
            aria-keyshortcuts="Control+Enter"
          >
            Send to {recipients}
          </Button>
          <Button onClick={composer.close}>Keep for later</Button>
          {draft.text !== '' && (
            <Button look="plain" onClick={composer.discard}>
              Discard
            </Button>
          )}
          <span className={styles.soft}>Ctrl or ⌘ and Enter sends. The clients see it at once.</span>
        </FormButtons>
      </form>
    </Section>
  );
}

/** @returns a function that tells whether the component is still shown */
function useIsShown(): () => boolean {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return () => isShown.current;
}

function Failure({ failure }: { failure: unknown }) {
  const isConflict = codeOf(failure) === 'changed_meanwhile';
  return (
    <Alert
      tone="danger"
      takesFocus
      title={isConflict ? 'A colleague changed this first' : 'The update was not sent'}
    >
      <p>
        {errorText(failure)}
        {isConflict && ' Your text is still here: check the promise, and send it again.'}
      </p>
    </Alert>
  );
}

/** The day of the next promised update, and its steps. */
function PromiseFields({ composer, error }: { composer: UpdateComposerState; error: string | null }) {
  const { draft, change, day, steps, chosenSteps, today, closedOn } = composer;
  if (steps.length === 0) return null;
  const dayOf = (choice: PromiseChoice) => promisedDay({ choice, day: '' }, { today, closedOn });
  return (
    <>
      <fieldset className={styles.choices}>
        <legend>Next update by</legend>
        {promiseChoices.map((choice) => (
          <label key={choice}>
            <input
              type="radio"
              name="promise"
              checked={draft.choice === choice}
              onChange={() => change({ choice })}
            />
            <span>{choiceText(choice, dayOf(choice), today)}</span>
          </label>
        ))}
        {draft.choice === 'day' && (
          <TextField
            label="Day of the next update"
            type="date"
            hint={day ? formatNearDay(day, today) : 'The clients see the day and its weekday.'}
            min={today}
            value={draft.day}
            error={error}
            onChange={({ currentTarget }) => change({ day: currentTarget.value })}
          />
        )}
      </fieldset>
      {steps.length > 1 && draft.choice !== 'same' && (
        <fieldset className={styles.choices}>
          <legend>The promise is about</legend>
          {steps.map(({ id, title }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={chosenSteps.some((step) => step.id === id)}
                onChange={({ currentTarget }) => {
                  const others = chosenSteps.map((step) => step.id).filter((stepId) => stepId !== id);
                  change({ stepIds: currentTarget.checked ? [...others, id] : others });
                }}
              />
              <span>{title}</span>
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

function choiceText(choice: PromiseChoice, day: string | null | undefined, today: string): string {
  if (choice === 'same') return 'As promised before';
  if (choice === 'day' || !day) return 'Another day';
  const inWords = formatNearDay(day, today);
  if (choice !== '1') return `In ${choice} working days, ${inWords}`;
  return day === addDays(today, 1) ? `Tomorrow, ${inWords}` : `Next working day, ${inWords}`;
}

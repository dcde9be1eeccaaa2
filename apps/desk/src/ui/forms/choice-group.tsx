import { FieldError } from '@keyturn/ui/base/field.tsx';
import { Choice } from '@keyturn/ui/forms/choice.tsx';
import { useId } from 'react';
import styles from './choice-group.module.css';

export interface ChoiceGroupProps<Value extends string> {
  legend: string;
  choices: readonly { value: Value; name: string; hint?: string }[];
  /** Null: none yet. */
  value: NoInfer<Value> | null;
  onChoose(value: NoInfer<Value>): void;
  error?: string | undefined;
}

/** A question with radio buttons, each with its hint. */
export function ChoiceGroup<Value extends string>({
  legend,
  choices,
  value,
  onChoose,
  error,
}: ChoiceGroupProps<Value>) {
  const id = useId();
  const errorId = error ? `${id}-error` : undefined;
  return (
    <fieldset className={styles.group}>
      <legend>{legend}</legend>
      {errorId && <FieldError id={errorId}>{error}</FieldError>}
      {choices.map((choice) => (
        <Choice
          key={choice.value}
          id={`${id}-${choice.value}`}
          name={id}
          checked={value === choice.value}
          onChoose={() => onChoose(choice.value)}
          errorId={errorId}
          {...(choice.hint === undefined ? {} : { hint: choice.hint })}
        >
          {choice.name}
        </Choice>
      ))}
    </fieldset>
  );
}

import { Checkbox } from '@keyturn/ui/base/field.tsx';
import { type ComponentProps, useId } from 'react';
import { SelectField, TextAreaField, TextField } from '../../../ui/forms/fields.tsx';
import type { FormValues } from './form-values.ts';

/** A field of a form for a record. */
export interface EditField<Name extends string> {
  name: Name;
  label: string;
  hint?: string | undefined;
  /** `text` by default. A checkbox has the value `yes`, or none. */
  kind?: 'text' | 'long-text' | 'number' | 'day' | 'choice' | 'checkbox';
  /** For `choice`. */
  options?: readonly { value: string; name: string }[];
  maxLength?: number;
  /** Texts to choose from, or to write another one. */
  suggestions?: readonly string[];
}

export interface EditFieldsProps<Name extends string> {
  fields: readonly EditField<Name>[];
  values: FormValues<Name>;
  /** The server’s messages, by their path in the request. */
  errors: Record<string, string>;
  onChange(name: Name, value: string): void;
}

/** The fields of a form, below each other. */
export const EditFields = <Name extends string>({
  fields,
  values,
  errors,
  onChange,
}: EditFieldsProps<Name>) =>
  fields.map(({ name, label, hint, kind = 'text', options = [], maxLength, suggestions }) => {
    const shared = {
      label,
      hint,
      error: errors[`changes.${name}`] ?? errors[name],
      value: values[name],
      ...(maxLength === undefined ? {} : { maxLength }),
    };
    if (kind === 'choice')
      return (
        <SelectField
          key={name}
          label={label}
          hint={hint}
          error={shared.error}
          value={values[name]}
          options={options}
          onChoose={(value) => onChange(name, value)}
        />
      );
    if (kind === 'checkbox')
      return (
        <Checkbox
          key={name}
          label={label}
          error={shared.error}
          checked={values[name] !== ''}
          onChange={({ currentTarget }) => onChange(name, currentTarget.checked ? 'yes' : '')}
        />
      );
    if (kind === 'long-text')
      return (
        <TextAreaField
          key={name}
          {...shared}
          rows={3}
          onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
        />
      );
    if (suggestions)
      return (
        <SuggestingField
          key={name}
          {...shared}
          suggestions={suggestions}
          onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
        />
      );
    return (
      <TextField
        key={name}
        {...shared}
        type={kind === 'day' ? 'date' : 'text'}
        {...(kind === 'number' ? { inputMode: 'decimal' } : {})}
        autoComplete="off"
        onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
      />
    );
  });

/** A text field that suggests texts. */
function SuggestingField({
  suggestions,
  ...field
}: ComponentProps<typeof TextField> & { suggestions: readonly string[] }) {
  const id = useId();
  return (
    <>
      <TextField {...field} list={id} autoComplete="off" />
      <datalist id={id}>
        {suggestions.map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
    </>
  );
}

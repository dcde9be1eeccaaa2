import { classNames } from '@keyturn/ui/base/class-names.ts';
import { Field, FieldError, type FieldProps } from '@keyturn/ui/base/field.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import {
  type ComponentProps,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useRef,
} from 'react';
import { useShortcut } from '../keys/shortcuts.ts';
import styles from './fields.module.css';

/** A text field in the desk’s size, with its label, hint and error. */
export const TextField = ({ className, ...props }: FieldProps) => (
  <Field {...props} className={classNames(styles.field, className)} />
);

interface LabelledProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
}

/** A text of several lines. */
export function TextAreaField({
  label,
  hint,
  error,
  className,
  ...props
}: LabelledProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const { id, describedBy, around } = useLabelled({ label, hint, error, id: props.id });
  return (
    <div className={classNames(styles.field, className)}>
      {around}
      <textarea
        {...props}
        id={id}
        className={styles.control}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy}
      />
    </div>
  );
}

export interface SelectFieldProps<Value extends string>
  extends LabelledProps,
    Omit<SelectHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange' | 'children'> {
  value: Value;
  options: readonly { value: Value; name: string }[];
  onChoose(value: Value): void;
  /** The label next to the field instead of above it: for toolbars. */
  isInline?: boolean;
}

/** One of a few choices. */
export function SelectField<Value extends string>({
  label,
  hint,
  error,
  value,
  options,
  onChoose,
  isInline = false,
  className,
  ...props
}: SelectFieldProps<Value>) {
  const { id, describedBy, around } = useLabelled({ label, hint, error, id: props.id });
  return (
    <div className={classNames(styles.field, isInline && styles.inline, className)}>
      {around}
      <select
        {...props}
        id={id}
        className={styles.control}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => {
          const chosen = options.find((option) => option.value === currentTarget.value);
          if (chosen) onChoose(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.name}
          </option>
        ))}
      </select>
    </div>
  );
}

function useLabelled({ label, hint, error, id: givenId }: LabelledProps & { id: string | undefined }) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return {
    id,
    describedBy: described || undefined,
    around: (
      <>
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
        {hint && (
          <p className={styles.hint} id={`${id}-hint`}>
            {hint}
          </p>
        )}
        {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      </>
    ),
  };
}

export interface SearchFieldProps {
  /** The label: “Search cases”. */
  label: string;
  value: string;
  onSearch(value: string): void;
  placeholder?: string;
}

/** The search field of a page. The key `/` focuses it, and Escape clears it. */
export function SearchField({ label, value, onSearch, placeholder }: SearchFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useShortcut({ keys: '/', name: label, group: 'On this page' }, () => input.current?.select());
  return (
    <search className={styles.search}>
      <label htmlFor={id}>
        <VisuallyHidden>{label}</VisuallyHidden>
      </label>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
        <g fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round">
          <circle cx="7" cy="7" r="4.5" />
          <path d="m10.5 10.5 4 4" />
        </g>
      </svg>
      <input
        id={id}
        ref={input}
        type="search"
        className={styles.control}
        value={value}
        placeholder={placeholder ?? label}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        onChange={({ currentTarget }) => onSearch(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          if (value === '') input.current?.blur();
          else onSearch('');
        }}
      />
    </search>
  );
}

/** A form of fields below each other. It is sent by script only, so that a password never appears in an address. */
export const Form = ({ className, ...props }: ComponentProps<'form'>) => (
  <form {...props} method="post" noValidate className={classNames(styles.form, className)} />
);

/** The buttons at the end of a form. */
export const FormButtons = ({ children }: { children: ReactNode }) => (
  <div className={styles.buttons}>{children}</div>
);

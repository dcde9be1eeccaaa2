import { classNames } from '@keyturn/ui/base/class-names.ts';
import { PasswordField, type PasswordFieldProps } from '@keyturn/ui/forms/password-field.tsx';
import styles from './fields.module.css';

/** A password field in the desk’s size. */
export const DeskPasswordField = ({ className, ...props }: PasswordFieldProps) => (
  <PasswordField {...props} className={classNames(styles.field, styles.password, className)} />
);

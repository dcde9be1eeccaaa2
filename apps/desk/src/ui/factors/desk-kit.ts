import type { FactorKit } from '@keyturn/ui/factors/factor-kit.ts';
import { errorText } from '../../api/client/staff-error.ts';
import { Button } from '../base/button.tsx';
import { DeskPasswordField } from '../forms/desk-password-field.tsx';
import { Form, FormButtons, TextField } from '../forms/fields.tsx';

/** The desk’s controls for second factors. */
export const deskKit: FactorKit = {
  Button,
  Field: TextField,
  Form,
  Buttons: FormButtons,
  PasswordField: DeskPasswordField,
  errorText,
};

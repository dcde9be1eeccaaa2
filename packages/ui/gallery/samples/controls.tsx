import { useState } from 'react';
import { Button, ButtonLink } from '../../src/base/button.tsx';
import { Checkbox, Field } from '../../src/base/field.tsx';
import { Choice } from '../../src/forms/choice.tsx';
import { PasswordField } from '../../src/forms/password-field.tsx';
import { ThemeChoice } from '../../src/forms/theme-choice.tsx';
import { Dialog } from '../../src/overlays/dialog.tsx';
import type { Samples } from './samples.ts';

/** Buttons, fields and the dialog. */
export const controlSamples: Samples = {
  Button: () =>
    (['primary', 'quiet', 'plain'] as const).map((look) => (
      <div key={look}>
        <Button look={look}>Save the changes</Button>{' '}
        <Button look={look} size="small">
          Small
        </Button>{' '}
        <Button look={look} busy busyText="Saving…">
          Save the changes
        </Button>{' '}
        <Button look={look} disabled>
          Not available
        </Button>
      </div>
    )),
  'Button link': () => <ButtonLink href="#button-link">Read the guide</ButtonLink>,
  Field: (id) => (
    <>
      <Field id={`${id}-plain`} label="Reference" hint="It is on our letter." />
      <Field id={`${id}-invalid`} label="Postcode" error="Enter a full postcode." defaultValue="BA1" />
      <Field id={`${id}-disabled`} label="Email address" defaultValue="amelia@example.test" disabled />
    </>
  ),
  Checkbox: (id) => (
    <>
      <Checkbox id={`${id}-off`} label="Email me about my case" />
      <Checkbox id={`${id}-on`} label="I have read the contract" defaultChecked />
      <Checkbox id={`${id}-invalid`} label="I agree" error="Tick the box to continue." />
    </>
  ),
  Choice: (id) => <Choices id={id} />,
  'Password field': (id) => <PasswordField id={id} label="Password" isSent={false} />,
  'Theme choice': () => <ThemeChoice theme="light" onChoose={() => {}} />,
  Dialog: () => <OpenedDialog />,
};

function Choices({ id }: { id: string }) {
  const [chosen, setChosen] = useState('card');
  return ['card', 'bank'].map((value) => (
    <Choice
      key={value}
      id={`${id}-${value}`}
      name={id}
      checked={chosen === value}
      onChoose={() => setChosen(value)}
      hint={value === 'bank' ? 'You confirm the payment with your bank.' : 'Visa, Mastercard or Amex.'}
    >
      Pay by {value}
    </Choice>
  ));
}

function OpenedDialog() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        Open the dialog
      </Button>
      <Dialog
        open={isOpen}
        onClose={close}
        title="Cancel this payment?"
        actions={
          <>
            <Button look="quiet" onClick={close}>
              Keep it
            </Button>
            <Button onClick={close}>Cancel the payment</Button>
          </>
        }
      >
        <p>Nothing has been charged.</p>
      </Dialog>
    </>
  );
}

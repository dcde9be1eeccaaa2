import { type DeskClient, type IdentityCheck, identityChecks } from '@keyturn/contract/staff';
import { formatMoment } from '@keyturn/format/dates';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useState } from 'react';
import { codeOf, invalidForm } from '../../../api/client/staff-error.ts';
import { callStaff } from '../../../api/desk-api.ts';
import { ChoiceGroup } from '../../../ui/forms/choice-group.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import type { CasePartProps } from '../case-part-props.ts';
import { isAddressInDoubt } from './address-in-doubt.ts';
import { callBackHint } from './client-phone.tsx';
import styles from './reset-dialog.module.css';

/** Resets a client’s sign-in, after the member has said how they checked that it is the client who asks. */
export function ResetDialog({
  client,
  changes,
  onClose,
}: {
  client: DeskClient;
  changes: CasePartProps['changes'];
  onClose(): void;
}) {
  const today = useToday();
  const [check, setCheck] = useState<IdentityCheck | null>(null);
  const addresses = addressesOf(client);
  const [chosen, setChosen] = useState<string | null>(null);
  const email = addresses.length === 1 ? (addresses[0]?.email ?? null) : chosen;
  const name = `${client.first_name} ${client.last_name}`;
  const reset = async (body: { identity_check: IdentityCheck; email: string }) => {
    const params = { id: client.id };
    try {
      await changes.make(
        callStaff('POST /staff/clients/{id}/sign-in-reset', { params, body }),
        `${name}’s sign-in is reset. A link is on its way to ${body.email}.`,
      );
    } catch (error) {
      // The address has changed: the dialog shows the new one, and asks again.
      if (codeOf(error) === 'changed_meanwhile') {
        await changes.refresh();
        setChosen(null);
      }
      throw error;
    }
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Reset how ${name} signs in?`}
      action="Reset the sign-in"
      look="danger"
      onSubmit={async () => {
        if (check === null || email === null)
          throw invalidForm({
            ...(email === null ? { email: 'Choose where the link goes.' } : {}),
            ...(check === null ? { identity_check: 'Choose how you checked.' } : {}),
          });
        await reset({ identity_check: check, email });
      }}
    >
      {(errors) => (
        <>
          <p>
            For a client who has lost their phone, passkey and password, or whose change of email address was
            undone. Their password and second factors stop working at once, every session ends, and an email
            with a link to choose a new password goes to{' '}
            {addresses.length === 1 ? email : 'the address that you choose'}.
          </p>
          {addresses.length > 1 && (
            <ChoiceGroup
              legend={`Which address is ${name}’s?`}
              choices={addresses.map((address) => ({
                value: address.email,
                name: address.email,
                hint: address.hint(today),
              }))}
              value={email}
              onChoose={setChosen}
              error={errors.email}
            />
          )}
          <ChoiceGroup
            legend={`How did you check that the request came from ${name}?`}
            choices={identityChecks.map((way) => ({
              value: way,
              name: names[way],
              hint: way === 'called_back' ? callBackHint(client) : withIdentification,
            }))}
            value={check}
            onChoose={setCheck}
            error={errors.identity_check}
          />
          <p className={styles.note}>
            Never rely on an email or on a call that you did not make: someone else may be reading the
            client’s emails. Your answer is kept in the audit log.
          </p>
        </>
      )}
    </FormDialog>
  );
}

interface Address {
  email: string;
  hint(today: string): string;
}

/** The addresses to which the link can go. */
function addressesOf(client: DeskClient): Address[] {
  const { email, own_email } = client;
  const isInDoubt = isAddressInDoubt(client);
  const current = {
    email,
    hint: (today: string) =>
      own_email?.changed
        ? `Since ${formatMoment(own_email.changed.at, today)}. It was changed by someone signed in as ${own_email.changed.by}, who may not be the client.`
        : 'It was changed by someone signed in to the client’s account, who may not be the client.',
  };
  const firms = own_email && {
    email: own_email.firm_email,
    hint: () => 'The address that your system has. The account will use it again.',
  };
  return [...(isInDoubt ? [] : [current]), ...(firms ? [firms] : [])];
}

const names: Record<IdentityCheck, string> = {
  called_back: 'I called them back',
  in_person: 'I saw them in person',
  video_call: 'I saw them on a video call',
};

const withIdentification = 'With the photo identification that we have a copy of.';

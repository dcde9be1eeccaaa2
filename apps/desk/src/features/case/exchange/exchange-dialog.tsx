import type { DeskMatter } from '@keyturn/contract/staff';
import { formatDay } from '@keyturn/format/london-time';
import { Checkbox } from '@keyturn/ui/base/field.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useState } from 'react';
import { codeOf, invalidForm } from '../../../api/client/staff-error.ts';
import { callStaff } from '../../../api/desk-api.ts';
import { SelectField, TextAreaField, TextField } from '../../../ui/forms/fields.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import type { CaseChanges } from '../case-queries.ts';
import { matterName } from '../matter-name.ts';
import {
  type EnteredExchange,
  enteredExchange,
  exchangeMark,
  faultsOfExchange,
  isExchanged,
} from './exchange-entries.ts';

interface ExchangeDialogProps {
  matter: DeskMatter;
  changes: CaseChanges;
  onClose(): void;
}

/** Marks the exchange of contracts or corrects what was entered about it, or takes it back. */
export const ExchangeDialog = ({ takesBack, ...props }: ExchangeDialogProps & { takesBack: boolean }) =>
  takesBack ? <UndoDialog {...props} /> : <MarkDialog {...props} />;

function MarkDialog({ matter, changes, onClose }: ExchangeDialogProps) {
  const today = useToday();
  const version = useNewestVersion(matter, changes);
  const isCorrection = isExchanged(matter);
  const [entered, setEntered] = useState(() => enteredExchange(matter, today));
  const change = (entry: Partial<EnteredExchange>) => setEntered({ ...entered, ...entry });
  const save = () => {
    const faults = faultsOfExchange(entered);
    if (Object.keys(faults).length > 0) throw invalidForm(faults);
    return version.sending((current) =>
      changes.make(
        callStaff('POST /staff/matters/{id}/exchange', {
          params: { id: matter.id },
          body: exchangeMark(entered, current),
        }),
        isCorrection
          ? 'What was entered about the exchange is corrected.'
          : `Contracts for the ${matterName(matter)} are exchanged.`,
      ),
    );
  };
  return (
    <FormDialog
      open
      title={`${isCorrection ? 'Correct exchange' : 'Mark exchange'}: ${matterName(matter)}`}
      action={isCorrection ? 'Save' : 'Contracts are exchanged'}
      busyText="Saving"
      onSubmit={async () => save()}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <TextField
            label="Exchanged on"
            type="date"
            value={entered.exchanged_on}
            error={errors.exchanged_on}
            onChange={({ currentTarget }) => change({ exchanged_on: currentTarget.value })}
          />
          <TextField
            label="Completion date"
            hint="As the contracts name it. Clients see it as agreed from now on."
            type="date"
            value={entered.completion_on}
            error={errors.completion_on}
            onChange={({ currentTarget }) => change({ completion_on: currentTarget.value })}
          />
          <SelectField
            label="Deposit"
            value={entered.deposit_held_as}
            options={depositChoices}
            onChoose={(value) => change({ deposit_held_as: value as EnteredExchange['deposit_held_as'] })}
            error={errors.deposit_held_as}
          />
          {entered.deposit_held_as !== '' && entered.deposit_held_as !== 'none' && (
            <TextField
              label="Deposit in pounds"
              inputMode="decimal"
              autoComplete="off"
              value={entered.deposit_amount}
              error={errors.deposit_amount ?? errors['deposit.amount']}
              onChange={({ currentTarget }) => change({ deposit_amount: currentTarget.value })}
            />
          )}
          <TextField
            label="Authorised by"
            hint="The member of your firm who authorised the exchange."
            autoComplete="off"
            maxLength={200}
            value={entered.authorised_by}
            error={errors.authorised_by}
            onChange={({ currentTarget }) => change({ authorised_by: currentTarget.value })}
          />
          <TextField
            label="Authorised on"
            type="date"
            value={entered.authorised_on}
            error={errors.authorised_on}
            onChange={({ currentTarget }) => change({ authorised_on: currentTarget.value })}
          />
          <Checkbox
            label={
              entered.completion_on === ''
                ? 'Contracts are exchanged.'
                : `Contracts are exchanged, and completion is on ${formatDay(entered.completion_on)}.`
            }
            checked={entered.is_confirmed}
            error={errors.is_confirmed}
            onChange={({ currentTarget }) => change({ is_confirmed: currentTarget.checked })}
          />
        </>
      )}
    </FormDialog>
  );
}

const depositChoices = [
  { value: '', name: 'Choose' },
  { value: 'stakeholder', name: 'Held as stakeholder' },
  { value: 'agent', name: 'Held as agent for the seller' },
  { value: 'none', name: 'No deposit' },
];

function UndoDialog({ matter, changes, onClose }: ExchangeDialogProps) {
  const version = useNewestVersion(matter, changes);
  const [reason, setReason] = useState('');
  const [completionOn, setCompletionOn] = useState('');
  const [updateId] = useState(() => crypto.randomUUID());
  const save = () => {
    if (reason.trim() === '') throw invalidForm({ reason: 'Enter the reason. The clients read it.' });
    return version.sending((current) =>
      changes.make(
        callStaff('POST /staff/matters/{id}/exchange/undo', {
          params: { id: matter.id },
          body: {
            version: current,
            update_id: updateId,
            reason: reason.trim(),
            completion_on: completionOn || null,
          },
        }),
        'The exchange is taken back, and the clients can read why.',
      ),
    );
  };
  return (
    <FormDialog
      open
      title={`Take back the exchange: ${matterName(matter)}`}
      action="Take back the exchange"
      look="danger"
      busyText="Saving"
      onSubmit={async () => save()}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>
            For contracts that have not been exchanged. The clients get an update that says so, with your
            reason. To correct a day, the deposit or a name, use Correct exchange.
          </p>
          <TextAreaField
            label="Reason"
            hint="The clients read it after “That was a mistake, and we’re sorry: they have not been exchanged.”"
            rows={3}
            maxLength={500}
            value={reason}
            error={errors.reason ?? errors.summary}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <TextField
            label="Completion planned for (optional)"
            hint="The day that was agreed is no longer shown."
            type="date"
            value={completionOn}
            error={errors.completion_on}
            onChange={({ currentTarget }) => setCompletionOn(currentTarget.value)}
          />
        </>
      )}
    </FormDialog>
  );
}

/** The version that the member has seen. After a colleague’s change the message is shown once, and the newest is used. */
function useNewestVersion({ id, version }: DeskMatter, changes: CaseChanges) {
  const [newest, setNewest] = useState(version);
  return {
    sending: async (send: (current: string) => Promise<void>) => {
      try {
        await send(newest);
      } catch (error) {
        if (codeOf(error) === 'changed_meanwhile') {
          const { matters } = await changes.reread();
          setNewest(matters.find((matter) => matter.id === id)?.version ?? newest);
        }
        throw error;
      }
    },
  };
}

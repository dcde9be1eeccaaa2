import type { DeskClient } from '@keyturn/contract/staff';
import { callStaff } from '../../../api/desk-api.ts';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import type { CasePartProps } from '../case-part-props.ts';

/** What staff can do about the access of a client, after a dialog has asked them. */
export type Question = 'invite' | 'password' | 'reset' | 'sign-out' | 'disable' | 'enable' | 'remove';

interface Asked<Of extends Question> {
  question: Of;
  client: DeskClient;
}

export type AskedQuestion = Asked<Question>;

/** A question that needs no more than a yes. */
type PlainQuestion = Exclude<Question, 'reset' | 'remove'>;

export const isPlain = (asked: AskedQuestion): asked is Asked<PlainQuestion> =>
  asked.question !== 'reset' && asked.question !== 'remove';

export const nameOf = ({ first_name, last_name }: DeskClient) => `${first_name} ${last_name}`;

/** Asks whether to change the access of a client, with the consequences, and does it. */
export function AccessDialog({
  asked,
  changes,
  onClose,
}: {
  asked: Asked<PlainQuestion>;
  changes: CasePartProps['changes'];
  onClose(): void;
}) {
  return (
    <FormDialog
      open
      {...questionTexts(asked)}
      onSubmit={() => changes.make(send(asked), doneText(asked))}
      onClose={onClose}
    >
      <p>{consequences[asked.question]}</p>
    </FormDialog>
  );
}

function send({ question, client: { id } }: Asked<PlainQuestion>): Promise<unknown> {
  const params = { id };
  if (question === 'invite') return callStaff('POST /staff/clients/{id}/invitation', { params });
  if (question === 'password') return callStaff('POST /staff/clients/{id}/password-link', { params });
  if (question === 'disable') return callStaff('POST /staff/clients/{id}/disable', { params });
  if (question === 'enable') return callStaff('POST /staff/clients/{id}/enable', { params });
  return callStaff('DELETE /staff/clients/{id}/sessions', { params });
}

function questionTexts({ question, client }: Asked<PlainQuestion>) {
  const name = nameOf(client);
  switch (question) {
    case 'invite':
      return { title: `Invite ${name}?`, action: 'Send the invitation' };
    case 'password':
      return { title: `Send ${name} a password link?`, action: 'Send the link' };
    case 'sign-out':
      return { title: `Sign ${name} out everywhere?`, action: 'Sign out', look: 'danger' as const };
    case 'disable':
      return { title: `Disable access for ${name}?`, action: 'Disable access', look: 'danger' as const };
    case 'enable':
      return { title: `Let ${name} sign in again?`, action: 'Let them sign in' };
  }
}

const consequences: Record<PlainQuestion, string> = {
  invite: 'An email with a link to choose a password is sent. Earlier links stop working.',
  password: 'An email with a link to choose a new password is sent. The current password works until then.',
  'sign-out': 'The client is signed out everywhere at once. They can sign in again with their password.',
  disable:
    'The client is signed out everywhere at once, and links in emails stop working. If they try to sign in, they get the same message as for a wrong password, so please call the client if they should know why. Only an admin can undo this.',
  enable:
    'The client can sign in with their password again. Please make sure first that the reason no longer applies.',
};

function doneText({ question, client }: Asked<PlainQuestion>): string {
  if (question === 'invite') return `The invitation is on its way to ${client.email}.`;
  if (question === 'password') return `The link is on its way to ${client.email}.`;
  if (question === 'disable') return `${nameOf(client)} can no longer sign in.`;
  if (question === 'enable') return `${nameOf(client)} can sign in again.`;
  return `${nameOf(client)} has been signed out everywhere.`;
}

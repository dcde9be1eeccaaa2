import type { ListedStaffMember } from '@keyturn/contract/staff';
import { Dialog } from '@keyturn/ui/overlays/dialog.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callStaff } from '../../../api/desk-api.ts';
import { roleNames } from '../../../api/role-names.ts';
import { Button } from '../../../ui/base/button.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { SessionsTable } from '../sessions/sessions-table.tsx';
import { RoleChoice } from './role-choice.tsx';

export type MemberAction = 'invite_again' | 'change_role' | 'sessions' | 'reset' | 'disable' | 'enable';

export interface MemberDialogProps {
  member: ListedStaffMember;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}

/** Asks for confirmation of an action on a member, and performs it. */
export function MemberDialog({ action, ...props }: MemberDialogProps & { action: MemberAction }) {
  if (action === 'sessions') return <SessionsDialog {...props} />;
  if (action === 'change_role') return <RoleDialog {...props} />;
  return <QuestionDialog {...props} {...questionAbout(props.member, action)} />;
}

interface Question {
  title: string;
  text: ReactNode;
  button: string;
  isDangerous?: boolean;
  run(): Promise<unknown>;
  done: string;
}

function questionAbout(
  { id, state, name, email }: ListedStaffMember,
  action: Exclude<MemberAction, 'sessions' | 'change_role'>,
): Question {
  const who = name ?? email;
  const params = { id };
  switch (action) {
    case 'invite_again':
      return {
        title: `Send the invitation to ${who} again?`,
        text: `We’ll email a new link to ${email}. Earlier links stop working.`,
        button: 'Send it again',
        run: () => callStaff('POST /staff/members/{id}/invitation', { params }),
        done: `The invitation to ${who} is sent again.`,
      };
    case 'reset':
      return {
        title: `Reset the sign-in of ${who}?`,
        text: `Their password, passkeys and authenticator apps are removed, and they are signed out. We’ll email a new invitation to ${email}. Do this only after you have spoken to them.`,
        button: 'Reset sign-in',
        isDangerous: true,
        run: () => callStaff('POST /staff/members/{id}/reset-factors', { params }),
        done: `The sign-in of ${who} is reset, and they are invited again.`,
      };
    case 'disable':
      return state === 'invited'
        ? {
            title: `Withdraw the invitation of ${who}?`,
            text: 'The link in their email stops working.',
            button: 'Withdraw it',
            isDangerous: true,
            run: () => callStaff('POST /staff/members/{id}/disable', { params }),
            done: `The invitation of ${who} is withdrawn.`,
          }
        : {
            title: `Disable ${who}?`,
            text: 'They are signed out at once and can’t sign in until someone enables them again.',
            button: 'Disable',
            isDangerous: true,
            run: () => callStaff('POST /staff/members/{id}/disable', { params }),
            done: `${who} is disabled and signed out.`,
          };
    case 'enable':
      return {
        title: `Enable ${who}?`,
        text: 'They can sign in again as before. Someone who had not accepted their invitation is invited again.',
        button: 'Enable',
        run: () => callStaff('POST /staff/members/{id}/enable', { params }),
        done: `${who} is enabled.`,
      };
  }
}

function QuestionDialog({
  title,
  text,
  button,
  isDangerous,
  run,
  done,
  onClose,
  onDone,
}: Question & MemberDialogProps) {
  return (
    <FormDialog
      open
      onClose={onClose}
      title={title}
      action={button}
      look={isDangerous ? 'danger' : 'primary'}
      onSubmit={async () => {
        await run();
        showToast(done);
        await onDone();
      }}
    >
      <p>{text}</p>
    </FormDialog>
  );
}

function RoleDialog({ member: { id, name, email, role: before }, onClose, onDone }: MemberDialogProps) {
  const [role, setRole] = useState(before);
  const who = name ?? email;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Change the role of ${who}`}
      action="Change role"
      onSubmit={async () => {
        await callStaff('PUT /staff/members/{id}/role', { params: { id }, body: { role } });
        showToast(`${who} now has the role “${roleNames[role]}”.`);
        await onDone();
      }}
    >
      <p>They are signed out, and have the new role when they sign in again.</p>
      <RoleChoice role={role} onChoose={setRole} />
    </FormDialog>
  );
}

function SessionsDialog({ member: { id, name, email }, onClose }: MemberDialogProps) {
  const [isAsking, setAsking] = useState(false);
  const who = name ?? email;
  const sessions = useQuery({
    queryKey: ['staff-sessions', id],
    queryFn: ({ signal }) => callStaff('GET /staff/members/{id}/sessions', { params: { id }, signal }),
  });
  if (isAsking) {
    return (
      <FormDialog
        open
        onClose={() => setAsking(false)}
        title={`Sign ${who} out everywhere?`}
        action="Sign out"
        look="danger"
        onSubmit={async () => {
          await callStaff('DELETE /staff/members/{id}/sessions', { params: { id } });
          showToast(`${who} has been signed out everywhere.`);
          onClose();
        }}
      >
        <p>All their sessions end. They can sign in again.</p>
      </FormDialog>
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Where ${who} is signed in`}
      actions={
        <>
          <Button look="primary" onClick={onClose}>
            Close
          </Button>
          {sessions.data && sessions.data.length > 0 && (
            <Button look="danger" onClick={() => setAsking(true)}>
              Sign out everywhere
            </Button>
          )}
        </>
      }
    >
      <SessionsTable query={sessions} />
    </Dialog>
  );
}

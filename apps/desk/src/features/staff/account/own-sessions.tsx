import { describeBrowser } from '@keyturn/format/describe-browser';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callStaff, endSession } from '../../../api/desk-api.ts';
import { Button } from '../../../ui/base/button.tsx';
import { Section } from '../../../ui/base/page.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { SessionsTable } from '../sessions/sessions-table.tsx';

const sessionsKey = ['own-sessions'] as const;

/** The open sessions of the member. */
export function OwnSessions() {
  const [isEndingAll, setEndingAll] = useState(false);
  const queries = useQueryClient();
  const sessions = useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => callStaff('GET /staff/sessions', { signal }),
  });
  return (
    <Section
      title="Where you’re signed in"
      actions={<Button onClick={() => setEndingAll(true)}>Sign out everywhere</Button>}
    >
      <SessionsTable
        query={sessions}
        action={(session) =>
          session.is_current ? (
            <StatusTag tone="good">This one</StatusTag>
          ) : (
            <EndSession
              about={describeBrowser(session.user_agent)}
              onEnd={async () => {
                await callStaff('DELETE /staff/sessions/{id}', { params: { id: session.id } });
                await queries.invalidateQueries({ queryKey: sessionsKey });
              }}
            />
          )
        }
      />
      <FormDialog
        open={isEndingAll}
        onClose={() => setEndingAll(false)}
        title="Sign out everywhere?"
        action="Sign out everywhere"
        onSubmit={async () => {
          await callStaff('DELETE /staff/sessions');
          endSession('signed_out');
        }}
      >
        <p>All your sessions end, with this one. You can sign in again straight away.</p>
      </FormDialog>
    </Section>
  );
}

function EndSession({ about, onEnd }: { about: string; onEnd: () => Promise<void> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="plain" aria-label={`Sign out ${about}`} onClick={() => setOpen(true)}>
        Sign out
      </Button>
      <FormDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={`Sign out ${about}?`}
        action="Sign out"
        onSubmit={async () => {
          await onEnd();
          showToast(`${about} has been signed out.`);
        }}
      >
        <p>You’ll need to sign in again in that browser. If it isn’t yours, change your password too.</p>
      </FormDialog>
    </>
  );
}

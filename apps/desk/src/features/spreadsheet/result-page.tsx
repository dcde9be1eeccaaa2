import type { Spreadsheet } from '@keyturn/contract/staff';
import { useState } from 'react';
import { Redirect } from 'wouter';
import { callStaff } from '../../api/desk-api.ts';
import { useInvitationsRefused } from '../../api/missing-firm-data.ts';
import { Button, LinkButton } from '../../ui/base/button.tsx';
import { Section } from '../../ui/base/page.tsx';
import { MissingFirmData } from '../../ui/feedback/missing-firm-data.tsx';
import { FormButtons } from '../../ui/forms/fields.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { clients, Progress, Report } from './report.tsx';
import { importStepPath, useKeepSpreadsheet } from './use-spreadsheet.ts';
import { WithSpreadsheet } from './with-spreadsheet.tsx';

/** The last step of an import: what was imported, and the invitations of its clients. */
export default function ResultPage({ params }: { params: Readonly<Record<string, string>> }) {
  return (
    <WithSpreadsheet id={params.id ?? ''} title="What was imported">
      {(spreadsheet) => <Result spreadsheet={spreadsheet} />}
    </WithSpreadsheet>
  );
}

function Result({ spreadsheet }: { spreadsheet: Spreadsheet }) {
  if (spreadsheet.state === 'importing') return <Progress spreadsheet={spreadsheet} />;
  if (spreadsheet.state !== 'imported') return <Redirect to={importStepPath(spreadsheet)} replace />;
  return (
    <>
      <Report spreadsheet={spreadsheet} />
      {spreadsheet.new_clients > 0 && <Invitations spreadsheet={spreadsheet} />}
      <FormButtons>
        <LinkButton to="/settings/import">Import another file</LinkButton>
      </FormButtons>
    </>
  );
}

function Invitations({ spreadsheet: { id, new_clients: total, invited } }: { spreadsheet: Spreadsheet }) {
  const keep = useKeepSpreadsheet();
  const [isAsking, setAsking] = useState(false);
  const isRefused = useInvitationsRefused();
  const left = total - invited;
  return (
    <Section title="Invite the clients">
      <p>
        {left === 0
          ? 'The invitations are on their way.'
          : `${clients(left)} of this import can’t sign in yet. An invitation is an email with a link to choose a password. Each client gets it once.`}
      </p>
      {left > 0 && isRefused && <MissingFirmData />}
      {left > 0 && !isRefused && (
        <Button look="primary" onClick={() => setAsking(true)}>
          Invite {clients(left)}
        </Button>
      )}
      <FormDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Email an invitation to ${clients(left)}?`}
        action="Send the invitations"
        busyText="Sending…"
        onSubmit={async () => {
          const input = { params: { id }, timeout: 60_000 };
          keep(await callStaff('POST /staff/spreadsheets/{id}/invitations', input));
        }}
      >
        <p>They can see their cases as soon as they have chosen a password. Check the addresses first.</p>
      </FormDialog>
    </Section>
  );
}

import type { StaffPaymentLink } from '@keyturn/contract/staff';
import { formatEntryMoment } from '@keyturn/format/dates';
import { formatMoney } from '@keyturn/format/money';
import { StatusTag, type StatusTone } from '@keyturn/ui/content/status-tag.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callStaff } from '../../../api/desk-api.ts';
import { Button } from '../../../ui/base/button.tsx';
import { EmptyState, Section } from '../../../ui/base/page.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { type Column, Table } from '../../../ui/table/table.tsx';
import type { CasePartProps } from '../case-part-props.ts';
import { caseKey } from '../case-queries.ts';

const states: Record<StaffPaymentLink['state'], { tone: StatusTone; name: string }> = {
  payable: { tone: 'to-do', name: 'To pay' },
  being_paid: { tone: 'moving', name: 'Being paid' },
  paid: { tone: 'good', name: 'Paid' },
  under_review: { tone: 'held', name: 'Payment under review' },
  withdrawn: { tone: 'off', name: 'Nothing to pay' },
};

/** The requests to pay that were emailed to clients of the case. */
export function PaymentLinks({ deskCase: { id }, changes }: Pick<CasePartProps, 'deskCase' | 'changes'>) {
  const today = useToday();
  const [withdrawnId, setWithdrawnId] = useState<string | null>(null);
  const query = useQuery({
    queryKey: [...caseKey(id), 'payment-links'],
    meta: { follows: { caseId: id } },
    queryFn: ({ signal }) => callStaff('GET /staff/cases/{id}/payment-links', { params: { id }, signal }),
  });
  const link = query.data?.find((other) => other.id === withdrawnId);
  const columns: Column<StaffPaymentLink>[] = [
    { key: 'for', heading: 'For', isRowHeader: true, cell: ({ description }) => description },
    { key: 'client', heading: 'Client', cell: ({ client }) => client.name },
    { key: 'sent', heading: 'Emailed', cell: (sent) => whenEmailed(sent, today) },
    {
      key: 'opened',
      heading: 'Opened',
      cell: ({ opened_at }) => opened_at && formatEntryMoment(opened_at, today),
    },
    { key: 'amount', heading: 'Amount', align: 'end', cell: ({ sent_amount }) => formatMoney(sent_amount) },
    { key: 'state', heading: 'Status', cell: (shown) => <LinkState link={shown} /> },
    {
      key: 'actions',
      heading: 'Actions',
      isHeadingHidden: true,
      cell: ({ id: linkId, state, withdrawn_at, description, client }) =>
        state === 'payable' && withdrawn_at === null ? (
          <Button
            look="plain"
            aria-label={`Withdraw the request to ${client.name} for ${description}`}
            onClick={() => setWithdrawnId(linkId)}
          >
            Withdraw
          </Button>
        ) : null,
    },
  ];
  return (
    <Section title="Payment requests">
      <Table
        label="Payment requests of the case"
        columns={columns}
        query={query}
        keyOf={(shown) => shown.id}
        empty={<EmptyState title="No payment requests have been emailed to clients." />}
      />
      {link && <WithdrawDialog link={link} changes={changes} onClose={() => setWithdrawnId(null)} />}
    </Section>
  );
}

function whenEmailed({ sent_at, withdrawn_at, state }: StaffPaymentLink, today: string): string {
  if (sent_at !== null) return formatEntryMoment(sent_at, today);
  return withdrawn_at === null && state === 'payable' ? 'On its way' : 'Not emailed';
}

function LinkState({ link: { state, withdrawn_at } }: { link: StaffPaymentLink }) {
  const { tone, name } = states[state];
  return (
    <StatusTag tone={tone}>{state === 'withdrawn' && withdrawn_at !== null ? 'Withdrawn' : name}</StatusTag>
  );
}

function WithdrawDialog({
  link: { id, client, description },
  changes,
  onClose,
}: Pick<CasePartProps, 'changes'> & { link: StaffPaymentLink; onClose(): void }) {
  const withdraw = () =>
    changes.make(
      callStaff('POST /staff/payment-links/{id}/withdraw', { params: { id } }),
      `The request to ${client.name} to pay for ${description} has been withdrawn.`,
    );
  return (
    <FormDialog
      open
      title="Withdraw the payment request?"
      action="Withdraw the request"
      look="danger"
      onSubmit={withdraw}
      onClose={onClose}
    >
      <p>
        {client.name}’s home page will no longer show {description}, and a page of it that is open will say
        that it has been withdrawn. The withdrawal appears in the case history. This cannot be undone, but you
        can send another request.
      </p>
      <p>A search or a bill stays payable on the clients’ own pages. To stop that, cancel the search.</p>
    </FormDialog>
  );
}

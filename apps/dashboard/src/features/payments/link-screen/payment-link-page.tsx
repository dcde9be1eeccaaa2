import { messageOf } from '@keyturn/browser/calls/api-error.ts';
import type { PaymentLink } from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { type ReactNode, useState } from 'react';
import { useCaseStore } from '../../../api/case/case-store.ts';
import { hasErrorCode } from '../../../api/payments/has-error-code.ts';
import { usePayOtherwise } from '../../../api/payments/pay-otherwise.ts';
import { usePaymentLink } from '../../../api/payments/use-payment-link.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { useSwitchCase } from '../../../api/queries/use-switch-case.ts';
import { useNavigate } from '../../../navigation/navigation.tsx';
import styles from '../frame/payment-notices.module.css';
import { BankDetailsWarning, NoticeLinks, PaymentLoading } from '../frame/payment-notices.tsx';
import { PaymentUnderReview } from '../payment-screen/payment-under-review.tsx';

/** What the firm asked this client to pay by email: says what can be paid now, and continues to that payment. */
export function PaymentLinkPage({ id }: { id: string }) {
  const link = usePaymentLink(id);
  const payOtherwise = usePayOtherwise();
  if (link.error) {
    if (!hasErrorCode(link.error, 'not_found'))
      return <Failure error={link.error} retry={() => void link.refetch()} />;
    return (
      <Notice heading="This link isn’t for your account">
        <p>
          It may have been sent to someone else, or we no longer ask for this payment. You have not been
          charged.
        </p>
      </Notice>
    );
  }
  if (!link.data) return <PaymentLoading />;
  switch (link.data.state) {
    case 'payable': {
      const { category, amount, description, matter_id: matterId, case: linkedCase } = link.data;
      const toPay = { purpose: category ?? 'search', amount, matterId, caseId: linkedCase.id } as const;
      const how = payOtherwise(toPay);
      if (how === null) return <ToPay link={link.data} check={link.refetch} />;
      return (
        <Notice heading={description}>
          <p>{how}</p>
        </Notice>
      );
    }
    case 'being_paid':
      return (
        <Notice heading="This payment has been started">
          <p>{link.data.description}: continue it, or see who started it, on your payments page.</p>
        </Notice>
      );
    case 'paid':
      return (
        <Notice heading="This has already been paid">
          <p>{link.data.description}: there’s nothing left to pay, and you haven’t been charged twice.</p>
        </Notice>
      );
    case 'withdrawn':
      return (
        <Notice heading="We’ve withdrawn this request">
          <p>
            We’ve withdrawn this payment request: {link.data.description}. You have not been charged. Your
            payments page shows what there is to pay.
          </p>
        </Notice>
      );
    case 'under_review':
      return <PaymentUnderReview />;
  }
}

function ToPay({ link, check }: { link: PaymentLink; check: CheckLink }) {
  const { description, amount, sent_amount, case: linkedCase } = link;
  const { start, isBusy, error } = useStart(link, check);
  return (
    <div className={styles.notice}>
      <PageHeading>Pay for: {description}</PageHeading>
      <p>
        Case {linkedCase.reference}. To pay: <strong>{formatMoney(amount)}</strong>
      </p>
      {amount !== sent_amount && (
        <Alert tone="attention" title="The amount has changed since we emailed you.">
          <p>
            It was {formatMoney(sent_amount)} and is now {formatMoney(amount)}.
          </p>
        </Alert>
      )}
      {error && (
        <Alert tone="danger" title={messageOf(error)} takesFocus>
          <p>You have not been charged.</p>
        </Alert>
      )}
      <Button onClick={() => void start()} busy={isBusy}>
        Check and pay {formatMoney(amount)}
      </Button>
      <BankDetailsWarning />
    </div>
  );
}

/** Reads the link again: the firm may have withdrawn it, or changed the price, since the page was opened. */
type CheckLink = () => Promise<{ data: PaymentLink | undefined; error: Error | null }>;

/** Opens the case of the link, and enters what it asks for. The page shows a link that is no longer as it was instead. */
function useStart(link: PaymentLink, check: CheckLink) {
  const caseState = useCaseStore();
  const navigate = useNavigate();
  const activeCase = useClient().data?.active_case;
  const { mutateAsync: switchTo, isPending, error } = useSwitchCase();
  const [isChecking, setChecking] = useState(false);
  const start = async () => {
    setChecking(true);
    const checked = await check();
    setChecking(false);
    if (checked.error || checked.data?.state !== 'payable' || checked.data.amount !== link.amount) return;
    if (activeCase?.id !== link.case.id) {
      try {
        await switchTo(link.case.id);
      } catch {
        // Shown as `error`.
        return;
      }
    }
    if (link.case_search_id !== null) caseState.selectCaseSearch(link.case_search_id);
    else
      caseState.enterOtherPayment({
        category: link.category ?? 'other',
        amount: link.amount,
        reference: null,
        matterId: link.matter_id,
        bill: link.bill,
        idempotencyKey: link.idempotency_key ?? crypto.randomUUID(),
        confirmed: null,
        paymentId: null,
      });
    await navigate('/payment-details');
  };
  return { start, isBusy: isChecking || isPending, error };
}

function Notice({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <div className={styles.notice}>
      <PageHeading>{heading}</PageHeading>
      {children}
      <NoticeLinks />
    </div>
  );
}

function Failure({ error, retry }: { error: Error; retry(): void }) {
  return (
    <div className={styles.notice}>
      <PageHeading>Your payment</PageHeading>
      <Alert tone="danger" title={messageOf(error)} action={<Button onClick={retry}>Try again</Button>}>
        <p>You have not been charged.</p>
      </Alert>
    </div>
  );
}

import type { ReactNode } from 'react';
import { PageHeading } from '../../../ui/base/page-heading.tsx';
import styles from './payment-frame.module.css';
import { PaymentSteps } from './payment-steps.tsx';
import { QuoteReference } from './quote-reference.tsx';

export interface PaymentFrameProps {
  /** Where the client comes from. */
  back: ReactNode;
  at: 'Check' | 'Pay';
  heading: string;
  lead?: ReactNode;
  /** Beside what is to be done; on a phone in one line between the heading and that. */
  bill: ReactNode;
  children: ReactNode;
}

/** The frame of every screen between the wish to pay and the receipt. */
export function PaymentFrame({ back, at, heading, lead, bill, children }: PaymentFrameProps) {
  return (
    <div className={styles.page}>
      {back}
      <div className={styles.screen}>
        <div>
          <PaymentSteps at={at} />
          <PageHeading>{heading}</PageHeading>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {bill}
        <div>
          {children}
          <div className={styles.quote}>
            <QuoteReference />
          </div>
        </div>
      </div>
    </div>
  );
}

import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import type { ReactNode } from 'react';
import styles from './payment-frame.module.css';
import { PaymentSteps } from './payment-steps.tsx';
import { QuoteReference } from './quote-reference.tsx';

export interface PaymentFrameProps {
  /** The link back to the screen before. */
  back: ReactNode;
  at: 'Check' | 'Pay';
  heading: string;
  lead?: ReactNode;
  /** Next to the children; on a phone a single line above them. */
  bill: ReactNode;
  children: ReactNode;
}

/** The layout that the details screen and the payment screen share. */
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

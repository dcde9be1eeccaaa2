import { otherPaymentCategories } from '@keyturn/contract';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import formStyles from '../frame/payment-form.module.css';
import styles from './other-payment-form.module.css';

/** The size of the form, until it is known what it is filled in with. */
export function OtherPaymentSkeleton() {
  return (
    <div aria-busy="true">
      <div className={formStyles.group}>
        <Skeleton width={208} />
        <div className={styles.choicesInColumns}>
          {otherPaymentCategories.map((category) => (
            <div key={category} className={styles.place}>
              <Skeleton height={24} width={24} />
              <div>
                <Skeleton width={144} />
                <div className={formStyles.hint}>
                  <Skeleton lines={2} />
                </div>
              </div>
            </div>
          ))}
        </div>
      </div>
      {['amount', 'reference'].map((field) => (
        <div key={field} className={formStyles.group}>
          <Skeleton width={144} />
          <div className={formStyles.hint}>
            <Skeleton width={256} />
          </div>
          <Skeleton height={52} />
        </div>
      ))}
      <div className={formStyles.group}>
        <Skeleton height={56} />
      </div>
    </div>
  );
}

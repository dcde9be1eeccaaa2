import type { DeskSearch } from '@keyturn/contract/staff';
import { formatDayAndTime } from '@keyturn/format/london-time';
import styles from '../case.module.css';

/** How the clients asked for the searches that they paid for to be ordered: who, when and in which words. */
export function OrderRequests({ searches }: { searches: DeskSearch[] }) {
  const paid = searches.flatMap(({ id, name, money }) =>
    // A server of the last release does not send it.
    money?.paid_at && money.order_request !== undefined ? [{ id, name, request: money.order_request }] : [],
  );
  if (paid.length === 0) return null;
  return (
    <>
      <h3 className={styles.below}>Requests to order</h3>
      <dl className={styles.definitions}>
        {paid.map(({ id, name, request }) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd>
              {request ? (
                <>
                  {request.client.name}, {formatDayAndTime(request.requested_at)}: “{request.words}”{' '}
                  <span className={styles.soft}>
                    {request.filed_at
                      ? `Filed with the documents on ${formatDayAndTime(request.filed_at)}.`
                      : 'Not filed with the documents yet.'}
                  </span>
                </>
              ) : (
                <span className={styles.soft}>No request by a client is recorded.</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

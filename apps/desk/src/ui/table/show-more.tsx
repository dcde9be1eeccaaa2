import { Button } from '../base/button.tsx';
import styles from './table.module.css';

/** The button below a table that is read in pages. */
export function ShowMore({
  query: { hasNextPage, isFetchingNextPage, fetchNextPage },
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): Promise<unknown> };
}) {
  if (!hasNextPage) return null;
  return (
    <div className={styles.more}>
      <Button busy={isFetchingNextPage} busyText="Loading…" onClick={() => void fetchNextPage()}>
        Show more
      </Button>
    </div>
  );
}

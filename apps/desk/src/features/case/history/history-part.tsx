import { Section } from '../../../ui/base/page.tsx';
import styles from '../case.module.css';
import type { CasePartProps } from '../case-part-props.ts';
import { CaseTrail } from './case-trail.tsx';
import { HistoryList } from './history-list.tsx';

/** The number of entries that the server sends with a case. */
const maxEntries = 30;

/** The newest entries of the history, which the clients see too, and who did what on the case. */
export const HistoryPart = ({ deskCase, deskCase: { history } }: CasePartProps) => (
  <>
    <Section title="History">
      <HistoryList entries={history} />
      {history.length >= maxEntries && (
        <p className={styles.soft}>
          These are the newest {maxEntries}. The preview has all of them: open Case history there.
        </p>
      )}
    </Section>
    <CaseTrail deskCase={deskCase} />
  </>
);

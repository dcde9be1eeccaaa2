import { Button } from '@keyturn/ui/base/button.tsx';
import tick from '@keyturn/ui/forms/tick.module.css';
import { useId } from 'react';
import type { HistoryColumn } from '../view-preference.ts';
import styles from './column-chooser.module.css';
import { columnTitles } from './entry-fields.ts';

export interface ColumnChooserProps {
  /** All available columns. */
  columns: readonly HistoryColumn[];
  hidden: HistoryColumn[];
  onHidden: (hidden: HistoryColumn[]) => void;
}

/** Chooses which columns the table shows; at least one always stays. */
export function ColumnChooser({ columns, hidden, onHidden }: ColumnChooserProps) {
  const id = useId();
  const shown = columns.filter((column) => !hidden.includes(column));
  return (
    <div className={styles.chooser}>
      <Button look="quiet" size="small" popoverTarget={id}>
        Columns
      </Button>
      <div className={styles.list} id={id} popover="auto">
        <fieldset>
          <legend>Columns shown</legend>
          {columns.map((column) => (
            <label key={column}>
              <input
                type="checkbox"
                className={tick.tick}
                checked={shown.includes(column)}
                disabled={shown.length === 1 && shown[0] === column}
                onChange={({ target }) =>
                  onHidden(target.checked ? hidden.filter((other) => other !== column) : [...hidden, column])
                }
              />
              <span>{columnTitles[column]}</span>
            </label>
          ))}
        </fieldset>
      </div>
    </div>
  );
}

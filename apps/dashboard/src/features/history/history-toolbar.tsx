import type { HistoryCategory } from '@keyturn/contract';
import { useId } from 'react';
import { asCategory, categoryChoices } from './category-words.ts';
import styles from './history-toolbar.module.css';
import type { ViewChoice } from './view-choice.ts';

export interface HistoryToolbarProps {
  category: HistoryCategory | undefined;
  onCategory: (category: HistoryCategory | undefined) => void;
  view: ViewChoice['view'];
  onView: (view: ViewChoice['view']) => void;
}

/** Which entries are shown, and how. */
export function HistoryToolbar({ category, onCategory, view, onView }: HistoryToolbarProps) {
  const id = useId();
  return (
    <div className={styles.toolbar}>
      <div className={styles.filter}>
        <label htmlFor={id}>Show</label>
        <select
          id={id}
          value={category ?? ''}
          onChange={(event) => onCategory(asCategory(event.target.value))}
        >
          {categoryChoices.map(({ value, words }) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </div>
      <fieldset className={styles.views}>
        <legend>View</legend>
        {(['timeline', 'table'] as const).map((choice) => (
          <label key={choice}>
            <input
              type="radio"
              name={`${id}-view`}
              checked={view === choice}
              onChange={() => onView(choice)}
            />
            <span>{viewNames[choice]}</span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}

const viewNames: Record<ViewChoice['view'], string> = { timeline: 'Timeline', table: 'Table' };

import type { HistoryCategory } from '@keyturn/contract';
import { useId } from 'react';
import { categoryOptions, parseCategory } from './category-labels.ts';
import styles from './history-toolbar.module.css';
import type { ViewPreference } from './view-preference.ts';

export interface HistoryToolbarProps {
  category: HistoryCategory | undefined;
  onCategory: (category: HistoryCategory | undefined) => void;
  view: ViewPreference['view'];
  onView: (view: ViewPreference['view']) => void;
}

/** The controls of the case history: the category filter and the choice of view. */
export function HistoryToolbar({ category, onCategory, view, onView }: HistoryToolbarProps) {
  const id = useId();
  return (
    <div className={styles.toolbar}>
      <div className={styles.filter}>
        <label htmlFor={id}>Show</label>
        <select
          id={id}
          value={category ?? ''}
          onChange={(event) => onCategory(parseCategory(event.target.value))}
        >
          {categoryOptions.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
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

const viewNames: Record<ViewPreference['view'], string> = { timeline: 'Timeline', table: 'Table' };

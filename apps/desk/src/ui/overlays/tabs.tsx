import { type KeyboardEvent, type ReactNode, useId } from 'react';
import styles from './tabs.module.css';

export interface TabsProps<Key extends string> {
  /** What the tabs divide: “Parts of the case”. */
  label: string;
  tabs: readonly { key: Key; name: ReactNode }[];
  current: Key;
  onChoose(key: Key): void;
  /** The content of the current tab. */
  children: ReactNode;
}

/** Tabs with one panel. Arrow keys move between them. */
export function Tabs<Key extends string>({ label, tabs, current, onChoose, children }: TabsProps<Key>) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    const index = tabs.findIndex(({ key }) => key === current);
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const tab = next === undefined ? undefined : tabs.at(next % tabs.length);
    if (!tab) return;
    event.preventDefault();
    onChoose(tab.key);
    document.getElementById(`${id}-${tab.key}`)?.focus();
  };
  return (
    <>
      <div className={styles.tabs} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ key, name }) => (
          <button
            key={key}
            id={`${id}-${key}`}
            type="button"
            role="tab"
            className={styles.tab}
            aria-selected={key === current}
            aria-controls={`${id}-panel`}
            tabIndex={key === current ? 0 : -1}
            onClick={() => onChoose(key)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </>
  );
}

import type { StaffRole } from '@keyturn/contract/staff';
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { useMember } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { focusNeighbour } from '../../ui/base/focus-neighbour.ts';
import styles from './edited-item.module.css';

/** The state of a list of editable items: which are open, and which element gets the focus when the list changes. */
export interface EditedItems {
  /** The element around the lists. */
  box: RefObject<HTMLDivElement | null>;
  isOpen(id: number): boolean;
  toggle(id: number): void;
  /** Opens a new item, and moves the focus to its first field. */
  showNew(id: number): void;
  /** Keeps the focus on the button that has moved an item. */
  followMove(id: number, by: -1 | 1): void;
}

export function useEditedItems(): EditedItems {
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<readonly number[]>([]);
  const focusLater = (...selectors: string[]) =>
    // Runs once the list has its new order.
    setTimeout(() =>
      selectors
        .map((selector) => box.current?.querySelector<HTMLElement>(selector))
        .find((found) => found && !(found as HTMLButtonElement).disabled)
        ?.focus(),
    );
  return {
    box,
    isOpen: (id) => open.includes(id),
    toggle: (id) => setOpen(open.includes(id) ? open.filter((other) => other !== id) : [...open, id]),
    showNew: (id) => {
      setOpen([...open, id]);
      focusLater(`[data-item="${id}"] input`);
    },
    followMove: (id, by) =>
      focusLater(`[data-item="${id}"] [data-move="${by}"]`, `[data-item="${id}"] [data-move="${-by}"]`),
  };
}

export interface EditedItemProps {
  id: number;
  items: EditedItems;
  /** Names it: “Environmental search”. */
  name: string;
  /** The summary while it is closed. */
  summary: ReactNode;
  /** The server’s messages about it. */
  problem?: string | undefined;
  /** The directions in which it can move, and the function that moves it. Left out for a list with a fixed order. */
  moves?: readonly (-1 | 1)[];
  onMove?: (by: -1 | 1) => void;
  /** Removes it; left out if it cannot be removed. */
  onRemove?: (() => void) | undefined;
  /** The roles that may change it; by default admins. */
  editors?: readonly StaffRole[];
  children: ReactNode;
}

const adminsOnly: readonly StaffRole[] = ['admin'];

/** An item of a list that admins edit: one line, or open with its fields. */
export function EditedItem({
  id,
  items,
  name,
  summary,
  problem,
  moves = [],
  onMove,
  onRemove,
  editors = adminsOnly,
  children,
}: EditedItemProps) {
  const { role } = useMember();
  const fieldsId = useId();
  // A disabled form also disables the buttons that open items, so members with read access see all items open.
  const isReader = !editors.includes(role);
  const isOpen = isReader || items.isOpen(id) || problem !== undefined;
  const move = (by: -1 | 1) => {
    onMove?.(by);
    items.followMove(id, by);
  };
  return (
    <li className={styles.item} data-item={id}>
      <div className={styles.line}>
        <h2 className={styles.name}>
          {isReader ? (
            name
          ) : (
            <button
              type="button"
              className={styles.toggle}
              aria-expanded={isOpen}
              aria-controls={fieldsId}
              onClick={() => items.toggle(id)}
            >
              {name}
            </button>
          )}
        </h2>
        <p className={styles.summary}>{summary}</p>
        {!isReader && onMove && (
          <div className={styles.moves}>
            <Button
              look="plain"
              data-move="-1"
              disabled={!moves.includes(-1)}
              aria-label={`Move ${name} up`}
              onClick={() => move(-1)}
            >
              Up
            </Button>
            <Button
              look="plain"
              data-move="1"
              disabled={!moves.includes(1)}
              aria-label={`Move ${name} down`}
              onClick={() => move(1)}
            >
              Down
            </Button>
            {onRemove && (
              <Button
                look="plain"
                aria-label={`Remove ${name}`}
                onClick={({ currentTarget }) => {
                  focusNeighbour(currentTarget);
                  onRemove();
                }}
              >
                Remove
              </Button>
            )}
          </div>
        )}
      </div>
      {isOpen && (
        <div className={styles.fields} id={fieldsId}>
          {problem && (
            <p className={styles.problem} role="alert">
              {problem}
            </p>
          )}
          {children}
        </div>
      )}
    </li>
  );
}

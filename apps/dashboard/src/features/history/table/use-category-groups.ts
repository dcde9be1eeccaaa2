import type { HistoryCategory, HistoryEntry } from '@keyturn/contract';
import type { GridApi } from 'ag-grid-community';
import { useState } from 'react';
import { type CategoryGroups, createCategoryGroups, isCategoryRow } from './category-groups.ts';

/** The groups of the table. The grid arranges its rows again when one is opened or closed. */
export function useCategoryGroups(getApi: () => GridApi<HistoryEntry> | undefined): CategoryGroups {
  const [groups] = useState(() => {
    const created = createCategoryGroups();
    return {
      ...created,
      toggle: (...change: Parameters<CategoryGroups['toggle']>) => {
        created.toggle(...change);
        getApi()?.refreshClientSideRowModel('sort');
      },
    };
  });
  return groups;
}

/** Opens or closes a category with the keys of a tree: Enter, the space bar, and the arrows to the right and left. */
export function toggleCategory(
  groups: CategoryGroups,
  category: HistoryCategory,
  event: Event | null | undefined,
): void {
  if (!(event instanceof KeyboardEvent)) return;
  const { key, target } = event;
  if (key === 'ArrowRight' || key === 'ArrowLeft') groups.toggle(category, key === 'ArrowRight');
  // On the button itself, these keys also press it.
  const isOnButton = target instanceof HTMLElement && target.closest('button') !== null;
  if (isOnButton || (key !== 'Enter' && key !== ' ')) return;
  event.preventDefault();
  groups.toggle(category);
}

/** Whether a row of the grid represents a category. */
export const isCategoryNode = ({ data }: { data?: HistoryEntry | undefined }) =>
  data !== undefined && isCategoryRow(data);

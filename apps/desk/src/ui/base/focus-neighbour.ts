import { focusHeading, isFocusLost } from './focus-heading.ts';

/**
 * Moves the focus once the list item with this button is removed: to the next item or the previous one, or otherwise
 * to the element around the list.
 */
export function focusNeighbour(button: HTMLElement): void {
  const member = button.closest('li, fieldset');
  const list = member?.parentElement;
  const around = list?.parentElement;
  const findMembers = () => [...(list?.children ?? [])].filter((child) => child.matches('li, fieldset'));
  const index = findMembers().indexOf(member as Element);
  // Runs once the list is rendered without the item.
  setTimeout(() => {
    const members = findMembers();
    for (const place of [members[index], members[index - 1], around]) {
      const control = place?.querySelector<HTMLElement>('button:enabled, input:enabled');
      control?.focus();
      if (control && control === document.activeElement) return;
    }
    if (isFocusLost()) focusHeading();
  });
}

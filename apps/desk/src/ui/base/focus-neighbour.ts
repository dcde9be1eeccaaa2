import { focusHeading, isFocusLost } from './focus-heading.ts';

/**
 * Moves the focus once the member of a list that contains this button is removed: to the next member or the one before, or
 * else to what is around the list.
 */
export function focusNeighbour(button: HTMLElement): void {
  const member = button.closest('li, fieldset');
  const list = member?.parentElement;
  const around = list?.parentElement;
  const findMembers = () => [...(list?.children ?? [])].filter((child) => child.matches('li, fieldset'));
  const index = findMembers().indexOf(member as Element);
  // After the list is shown without it.
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

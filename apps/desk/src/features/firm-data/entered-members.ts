/* Items of the lists that admins edit. Each has an id that stays the same while it is edited and moved. */

interface WithId {
  id: number;
}

/** Returns an id that no item has. */
export const unusedId = (members: readonly WithId[]): number =>
  1 + Math.max(-1, ...members.map(({ id }) => id));

/** Moves an item of a list up or down. */
export function moved<Member>(list: readonly Member[], index: number, by: -1 | 1): Member[] {
  const others = list.filter((_member, place) => place !== index);
  return [...others.slice(0, index + by), list[index] as Member, ...others.slice(index + by)];
}

/** Replaces the item with the same id. */
export const replaced = <Member extends WithId>(list: readonly Member[], changed: Member): Member[] =>
  list.map((member) => (member.id === changed.id ? changed : member));

export const without = <Member extends WithId>(list: readonly Member[], id: number): Member[] =>
  list.filter((member) => member.id !== id);

/** Splits the dotted path of a field in the request: `value.steps.3.title`. */
export const fieldPath = (field: string): string[] => field.split(/[./]/).filter((part) => part !== '');

/** Formats the server’s message about a field: “title: is missing”. */
export function problemInWords(field: string, message: string): string {
  const last = fieldPath(field).at(-1) ?? '';
  // The path of a message about the whole item ends with its position.
  const name = /^\d+$/.test(last) ? '' : `${last.replaceAll('_', ' ')}: `;
  if (/fewer than 1 (?:char|item)/i.test(message)) return `${name}is missing`;
  if (/^must (?:match|be )/i.test(message)) return `${name}is invalid`;
  return `${name}${message}`;
}

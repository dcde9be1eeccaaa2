/** The values of a form’s fields; an empty text means no value. */
export type FormValues<Name extends string = string> = Readonly<Record<Name, string>>;

/** Returns the names of the fields that differ. */
export const changedFields = <Name extends string>(
  before: FormValues<Name>,
  after: FormValues<Name>,
): Name[] => (Object.keys(after) as Name[]).filter((name) => before[name].trim() !== after[name].trim());

/** The fields of a list, such as `lines.0.net`, change together: the entries of two people are about different lists. */
const partOf = (name: string): string => /^(\w+)\.\d+\./.exec(name)?.[1] ?? name;

/** A field that a colleague and the member have changed differently, or that only the colleague has changed. */
export interface Conflict<Name extends string> {
  name: Name;
  /** The member’s entry. */
  mine: string;
  /** The stored value. */
  theirs: string;
  /** Whether saving would overwrite the colleague’s change. */
  isOverwritten: boolean;
}

/**
 * Compares a member’s entries with the values that a colleague has stored since the form was opened.
 * @param before the stored values when the form was opened
 * @returns an empty list if no field of the form was changed, or both have made the same changes
 */
export function conflictsOf<Name extends string>({
  before,
  mine,
  theirs,
}: Record<'before' | 'mine' | 'theirs', FormValues<Name>>): Conflict<Name>[] {
  const own = new Set(changedFields(before, mine).map(partOf));
  return changedFields(before, theirs)
    .filter((name) => mine[name].trim() !== theirs[name].trim())
    .map((name) => ({ name, mine: mine[name], theirs: theirs[name], isOverwritten: own.has(partOf(name)) }));
}

/**
 * Rebases an edit on the stored values: fields that the member has not changed get the colleague’s values, and the
 * member’s own entries stay, and with one entry of a list all of the member’s list.
 */
export function rebase<Name extends string>({
  before,
  mine,
  theirs,
}: Record<'before' | 'mine' | 'theirs', FormValues<Name>>): FormValues<Name> {
  const own = new Set(changedFields(before, mine).map(partOf));
  const merged = (Object.keys(theirs) as Name[]).map((name) => [
    name,
    own.has(partOf(name)) ? mine[name] : theirs[name],
  ]);
  return Object.fromEntries(merged) as FormValues<Name>;
}

/** Converts entries to the fields of an edit: an empty field removes the stored value. */
export const emptyToNull = (changed: Partial<FormValues>): Record<string, string | null> =>
  Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, value || null]));

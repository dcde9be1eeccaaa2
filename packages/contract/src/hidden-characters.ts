export const hiddenCharacterNotAllowed =
  'This has a hidden character that we can’t accept. Delete it and type it again.';

/**
 * Whether a text has a character that no one can see: a control character other than a tab or line break, or one that
 * changes the direction of the text, with which a name or reference can be made to look like another.
 */
export const hasHiddenCharacter = (text: string): boolean => hidden.test(text);

/**
 * Removes what no one can see from a text that people paste, such as an email address or a code: spaces without width, soft
 * hyphens and the like. Characters that change the direction of text stay, and are rejected.
 */
export const removeInvisible = (text: string): string => text.replaceAll(invisible, '');

const invisible = /(?!\p{Bidi_Control})\p{Default_Ignorable_Code_Point}/gu;
const hidden = /[^\P{Cc}\t\n\r]|\p{Bidi_Control}/u;

import type { DeskMatter } from '@keyturn/contract/staff';
import { matterTypeInSentence, matterTypeNames } from '@keyturn/format/matter-names';
import { propertyName } from '@keyturn/format/property-names';

type NamedMatter = Pick<DeskMatter, 'matter_type' | 'property'>;

/** The name of a matter: “Purchase of The Old Chapel”. */
export const matterName = ({ matter_type, property }: NamedMatter): string =>
  `${matterTypeNames[matter_type]} of ${propertyName(property)}`;

/** The name of a matter inside a sentence: “purchase of The Old Chapel”. */
export const matterInSentence = ({ matter_type, property }: NamedMatter): string =>
  `${matterTypeInSentence(matter_type)} of ${propertyName(property)}`;

import { type DocumentFolder, type DocumentGroup, documentGroups, type MatterType } from '@keyturn/contract';

/** All document groups in display order, with documents to sign first. */
export const groupsInOrder: readonly DocumentGroup[] = [
  'to-sign',
  ...documentGroups.filter((group) => group !== 'to-sign'),
];

/** Finds the folder of a group; undefined while the folders are loading. */
export const folderOf = (
  folders: readonly DocumentFolder[] | undefined,
  matterType: MatterType,
  group: DocumentGroup,
): DocumentFolder | undefined =>
  folders?.find((folder) => folder.matter_type === matterType && folder.group === group);

/** Whether a matter of this type usually has documents in the group. */
export const isUsualGroup = (group: DocumentGroup, matterType: MatterType): boolean =>
  !unusualGroups[matterType].includes(group);

const unusualGroups: Record<MatterType, DocumentGroup[]> = {
  purchase: [],
  sale: ['searches', 'survey', 'reports'],
  remortgage: ['property-forms', 'certificates', 'enquiries'],
  'transfer-of-equity': ['property-forms', 'certificates', 'enquiries'],
};

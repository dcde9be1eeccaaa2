import type { DocumentGroup, SigningMethod } from '@keyturn/contract';
import { useState } from 'react';
import { errorText } from '../../../api/client/staff-error.ts';
import { callStaff } from '../../../api/desk-api.ts';
import type { CasePartProps } from '../case-part-props.ts';
import { uploadFile } from '../edits/send-edits.ts';
import { defaultAudience } from './document-audience.ts';
import { maxFiles, separateFiles, titleFromFile } from './file-rules.ts';

/** A dropped file that is not shared yet. */
export interface DroppedFile {
  key: string;
  file: File;
  title: string;
  group: DocumentGroup;
  /** The reference of the only client who can see it; empty for everyone, and null until the member has decided. */
  forClient: string | null;
  signing: SigningMethod | '';
  /** Null until the member has decided. */
  confirmsIdentity: boolean | null;
  matterId: string;
  /** Set once the file is uploaded, so that trying again does not upload it again. */
  fileId: string | null;
  /** The fraction that was uploaded, from 0 to 1; null while it is not being uploaded. */
  part: number | null;
  error: string | null;
}

/** The dropped files of a case, with the actions of a member before and while they are shared. */
export function useDroppedFiles(deskCase: CasePartProps['deskCase'], changes: CasePartProps['changes']) {
  const [files, setFiles] = useState<DroppedFile[]>([]);
  const [isSharing, setSharing] = useState(false);
  const [refused, setRefused] = useState<string[]>([]);

  const add = (dropped: Iterable<File>) => {
    const { accepted, faults } = separateFiles([...dropped], maxFiles - files.length);
    setRefused(faults);
    const matterId = deskCase.matters[0]?.id ?? '';
    setFiles((before) => [...before, ...accepted.map((file) => newFile(file, matterId))]);
  };
  const change = (key: string, changed: Partial<DroppedFile>) =>
    setFiles((before) =>
      before.map((dropped) => (dropped.key === key ? { ...dropped, ...changed } : dropped)),
    );
  const remove = (key: string) => setFiles((before) => before.filter((dropped) => dropped.key !== key));
  const share = async () => {
    if (isSharing) return;
    setSharing(true);
    setRefused([]);
    for (const dropped of files) {
      if (dropped.title.trim() === '') {
        change(dropped.key, { error: 'Enter a title.' });
        continue;
      }
      const forClient = dropped.forClient ?? defaultAudience(dropped.group, deskCase.clients);
      if (forClient === null) {
        change(dropped.key, { error: 'Choose which clients it is shown to.' });
        continue;
      }
      try {
        const upload = () => uploadFile(dropped.file, (part) => change(dropped.key, { part, error: null }));
        const fileId = dropped.fileId ?? (await upload());
        change(dropped.key, { fileId, part: null, error: null });
        await changes.make(shareDocument({ ...dropped, forClient }, fileId), `${dropped.title} is shared.`);
        remove(dropped.key);
      } catch (error) {
        change(dropped.key, { part: null, error: errorText(error) });
      }
    }
    setSharing(false);
  };
  return { files, refused, isSharing, add, change, remove, share };
}

const newFile = (file: File, matterId: string): DroppedFile => ({
  key: crypto.randomUUID(),
  file,
  title: titleFromFile(file.name),
  group: 'contract',
  forClient: null,
  signing: '',
  confirmsIdentity: null,
  matterId,
  fileId: null,
  part: null,
  error: null,
});

const shareDocument = (
  { title, group, forClient, signing, confirmsIdentity, matterId, file }: DroppedFile,
  fileId: string,
) =>
  callStaff('POST /staff/matters/{id}/documents', {
    params: { id: matterId },
    body: {
      file_id: fileId,
      file_name: file.name.slice(-200),
      title: title.trim(),
      group,
      signing: signing === '' ? null : signing,
      binds_on: null,
      ...(signing === 'simple' && confirmsIdentity !== null && { confirm_identity: confirmsIdentity }),
      ...(forClient ? { for_client: forClient } : {}),
      supersedes: null,
    },
  });

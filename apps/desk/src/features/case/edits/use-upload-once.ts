import { useState } from 'react';
import { uploadFile } from './send-edits.ts';

/** Uploads a chosen file once, even if the request that uses it has to be retried. */
export function useUploadOnce(): {
  /** The part that has arrived, from 0 to 1; null while nothing is being uploaded. */
  part: number | null;
  /** @returns the id of the file @throws ApiError */
  upload(chosen: File): Promise<string>;
} {
  const [uploaded, setUploaded] = useState<{ file: File; id: string } | null>(null);
  const [part, setPart] = useState<number | null>(null);
  const upload = async (chosen: File): Promise<string> => {
    if (uploaded?.file === chosen) return uploaded.id;
    try {
      const id = await uploadFile(chosen, setPart);
      setUploaded({ file: chosen, id });
      return id;
    } finally {
      setPart(null);
    }
  };
  return { part, upload };
}

import { formatFileSize } from '@keyturn/format/file-size';
import styles from '../case.module.css';

/** Shows the progress of an upload. @param part from 0 to 1; null while nothing is being uploaded */
export function UploadProgress({ file, part }: { file: File; part: number | null }) {
  if (part === null) return null;
  const sent = `${formatFileSize(Math.round(file.size * part))} of ${formatFileSize(file.size)}`;
  return (
    <p className={styles.progress}>
      <progress value={part} max={1} aria-label={`Uploading ${file.name}`} />
      <span>{part < 1 ? sent : 'Checking the file'}</span>
    </p>
  );
}

import type { CaseDocument } from '@keyturn/contract';
import { useState } from 'react';
import { Alert } from '../../../ui/base/alert.tsx';
import { Button } from '../../../ui/base/button.tsx';
import { VisuallyHidden } from '../../../ui/content/visually-hidden.tsx';
import { saveFile } from '../../../ui/files/save-file.ts';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { fileNameOf, type ShownFile } from '../document-labels.ts';
import { ImageViewer } from './image-viewer.tsx';
import { PdfViewer } from './pdf-viewer.tsx';
import { useOpenPdf } from './use-open-pdf.ts';
import styles from './viewer.module.css';
import { BrokenImage, failureWords } from './viewer-failure.ts';

export interface DocumentViewerProps {
  document: CaseDocument;
  file: Blob;
  /** It is to be seen. */
  onShown: (file: ShownFile) => void;
}

/** The document itself: a PDF by its pages, a picture whole. */
export function DocumentViewer(props: DocumentViewerProps) {
  return props.file.type === 'application/pdf' ? <PdfDocument {...props} /> : <ImageDocument {...props} />;
}

function PdfDocument({ document, file, onShown }: DocumentViewerProps) {
  const { pdf, isFormer, error, retry } = useOpenPdf(file);
  const download = () => saveFile(file, fileNameOf(document, file));
  if (error) return <ViewerFailure error={error} onRetry={retry} onDownload={download} />;
  if (!pdf) return <ViewerSkeleton pages={document.pages} />;
  return (
    <PdfViewer
      key={keyOf(pdf)}
      pdf={pdf}
      title={document.title}
      onShown={() => {
        if (!isFormer) onShown({ media_type: file.type, pages: pdf.pages.length, size: file.size });
      }}
      onDownload={download}
    />
  );
}

function ImageDocument({ document, file, onShown }: DocumentViewerProps) {
  const [isBroken, setIsBroken] = useState(false);
  const download = () => saveFile(file, fileNameOf(document, file));
  if (isBroken) {
    return (
      <ViewerFailure error={new BrokenImage()} onRetry={() => setIsBroken(false)} onDownload={download} />
    );
  }
  return (
    <ImageViewer
      file={file}
      title={document.title}
      onShown={() => onShown({ media_type: file.type, pages: null, size: file.size })}
      onBroken={() => setIsBroken(true)}
      onDownload={download}
    />
  );
}

/** In the place of a document that cannot be shown. */
export function ViewerFailure({
  error,
  onRetry,
  isTrying = false,
  onDownload,
}: {
  error: unknown;
  onRetry: () => void;
  isTrying?: boolean;
  /** Where the file is there. */
  onDownload?: () => void;
}) {
  const { title, text, canDownload } = failureWords(error);
  return (
    <Alert
      tone="attention"
      title={title}
      action={
        <>
          <Button look="quiet" size="small" busy={isTrying} busyText="Trying…" onClick={onRetry}>
            Try again
          </Button>
          {canDownload && onDownload && (
            <Button look="quiet" size="small" onClick={onDownload}>
              Download
            </Button>
          )}
        </>
      }
    >
      <p role="status">{text}</p>
    </Alert>
  );
}

/** The size of what comes: of a short document on a phone, its pages. */
export function ViewerSkeleton({ pages = null }: { pages?: number | null }) {
  return (
    <div className={styles.viewer}>
      <div className={styles.bars}>
        <div className={styles.bar}>
          <Skeleton height={44} />
        </div>
      </div>
      <div className={styles.waiting} style={{ '--pages': pages ?? 2 } as React.CSSProperties}>
        <VisuallyHidden>Loading the document…</VisuallyHidden>
        <Skeleton height={1_400} />
      </div>
    </div>
  );
}

const keys = new WeakMap<object, string>();

/** Another PDF starts with nothing of the one before. */
function keyOf(pdf: object): string {
  const key = keys.get(pdf) ?? crypto.randomUUID();
  keys.set(pdf, key);
  return key;
}

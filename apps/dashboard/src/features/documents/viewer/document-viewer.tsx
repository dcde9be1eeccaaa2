import type { CaseDocument } from '@keyturn/contract';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { saveFile } from '@keyturn/ui/files/save-file.ts';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { useState } from 'react';
import { downloadName, type ShownFile } from '../document-labels.ts';
import { ImageViewer } from './image-viewer.tsx';
import { PdfViewer } from './pdf-viewer.tsx';
import { useOpenPdf } from './use-open-pdf.ts';
import styles from './viewer.module.css';
import { describeFailure, UnreadableImage } from './viewer-failure.ts';

export interface DocumentViewerProps {
  document: CaseDocument;
  file: Blob;
  /** Called once the document is visible. */
  onShown: (file: ShownFile) => void;
}

/** Shows the content of a document: a PDF page by page, or an image. */
export function DocumentViewer(props: DocumentViewerProps) {
  return props.file.type === 'application/pdf' ? <PdfDocument {...props} /> : <ImageDocument {...props} />;
}

function PdfDocument({ document, file, onShown }: DocumentViewerProps) {
  const { pdf, isPrevious, error, retry } = useOpenPdf(file);
  const download = () => saveFile(file, downloadName(document, file));
  if (error) return <ViewerFailure error={error} onRetry={retry} onDownload={download} />;
  if (!pdf) return <ViewerSkeleton pages={document.pages} />;
  return (
    <PdfViewer
      key={keyOf(pdf)}
      pdf={pdf}
      title={document.title}
      onShown={() => {
        if (!isPrevious) onShown({ media_type: file.type, pages: pdf.pages.length, size: file.size });
      }}
      onDownload={download}
    />
  );
}

function ImageDocument({ document, file, onShown }: DocumentViewerProps) {
  const [isUnreadable, setIsUnreadable] = useState(false);
  const download = () => saveFile(file, downloadName(document, file));
  if (isUnreadable) {
    return (
      <ViewerFailure
        error={new UnreadableImage()}
        onRetry={() => setIsUnreadable(false)}
        onDownload={download}
      />
    );
  }
  return (
    <ImageViewer
      file={file}
      title={document.title}
      onShown={() => onShown({ media_type: file.type, pages: null, size: file.size })}
      onError={() => setIsUnreadable(true)}
      onDownload={download}
    />
  );
}

/** Shown in place of a document that could not be shown. */
export function ViewerFailure({
  error,
  onRetry,
  isTrying = false,
  onDownload,
}: {
  error: unknown;
  onRetry: () => void;
  isTrying?: boolean;
  /** Undefined when the file itself is missing. */
  onDownload?: () => void;
}) {
  const { title, text, canDownload } = describeFailure(error);
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

/** Placeholder while a document loads, about as tall as its pages. */
export function ViewerSkeleton({ pages = null }: { pages?: number | null }) {
  return (
    <div className={styles.viewer}>
      <div className={styles.toolbars}>
        <div className={styles.toolbar}>
          <Skeleton height={44} />
        </div>
      </div>
      <div className={styles.loading} style={{ '--pages': pages ?? 2 } as React.CSSProperties}>
        <VisuallyHidden>Loading the document…</VisuallyHidden>
        <Skeleton height={1_400} />
      </div>
    </div>
  );
}

const keys = new WeakMap<object, string>();

/** Returns a React key that resets the viewer’s state for every opened PDF. */
function keyOf(pdf: object): string {
  const key = keys.get(pdf) ?? crypto.randomUUID();
  keys.set(pdf, key);
  return key;
}

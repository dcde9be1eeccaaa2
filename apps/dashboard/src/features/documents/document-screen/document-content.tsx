import { type CaseDocument, isSignedOnPaper } from '@keyturn/contract';
import { useRef, useState } from 'react';
import { useMarkDocumentRead } from '../../../api/queries/use-document-actions.ts';
import { type DocumentFile, useDocumentContent } from '../../../api/queries/use-document-content.ts';
import type { ShownFile } from '../document-labels.ts';
import { PaperPanel } from '../signing/paper-panel.tsx';
import { SignPanel } from '../signing/sign-panel.tsx';
import { SignaturesPanel } from '../signing/signatures-panel.tsx';
import { DocumentViewer, ViewerFailure, ViewerSkeleton } from '../viewer/document-viewer.tsx';
import { SignatureNotice, SupersededNotice } from './document-notices.tsx';

export interface DocumentContentProps {
  document: CaseDocument;
  /** Called with the facts of the file once it is visible. */
  onFile: (file: ShownFile) => void;
}

/** The notices of a document, its viewer, and what there is to sign. */
export function DocumentContent({ document, onFile }: DocumentContentProps) {
  const content = useDocumentContent(document);
  const { shown, onShown } = useShownFile(document, content.data, onFile);
  return (
    <>
      <SupersededNotice document={document} />
      <SignatureNotice document={document} isShown={shown !== undefined} />
      {content.data ? (
        <DocumentViewer document={document} file={content.data.file} onShown={onShown} />
      ) : content.error ? (
        <ViewerFailure
          error={content.error}
          isTrying={content.isFetching}
          onRetry={() => void content.refetch()}
        />
      ) : (
        <ViewerSkeleton pages={document.pages} />
      )}
      <SignatureSection
        document={document}
        file={content.data?.file}
        shown={shown === content.data ? shown : undefined}
      />
    </>
  );
}

/** Remembers which file the viewer has shown, and marks the document as read the first time. */
function useShownFile(
  { id, read_at }: CaseDocument,
  content: DocumentFile | undefined,
  onFile: (file: ShownFile) => void,
) {
  const markRead = useMarkDocumentRead();
  const hasMarkedRead = useRef(false);
  const [shown, setShown] = useState<DocumentFile>();
  const onShown = (file: ShownFile) => {
    onFile(file);
    setShown(content);
    if (read_at !== null || hasMarkedRead.current) return;
    hasMarkedRead.current = true;
    markRead.mutate(id);
  };
  return { shown, onShown };
}

/** The signature form, the instructions for signing on paper, or who has signed. */
function SignatureSection({
  document,
  file,
  shown,
}: {
  document: CaseDocument;
  file: Blob | undefined;
  /** The current file; undefined until the client has seen it. */
  shown: DocumentFile | undefined;
}) {
  const { signature } = document;
  const [neededSignature] = useState(signature?.required === true);
  if (!signature) return null;
  if (isSignedOnPaper(signature.signing)) return <PaperPanel document={document} file={file} />;
  if (signature.required) {
    return (
      shown && <SignPanel key={shown.sha256} document={document} file={shown.file} sha256={shown.sha256} />
    );
  }
  return (
    <SignaturesPanel document={document} wasJustSigned={neededSignature && signature.signed_at !== null} />
  );
}

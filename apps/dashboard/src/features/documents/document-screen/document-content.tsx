import { type CaseDocument, isSignedOnPaper } from '@keyturn/contract';
import { useRef, useState } from 'react';
import { useMarkDocumentRead } from '../../../api/queries/use-document-actions.ts';
import { useDocumentContent } from '../../../api/queries/use-document-content.ts';
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
  const { shownSha256, onShown } = useShownFile(document, content.data?.sha256, onFile);
  return (
    <>
      <SupersededNotice document={document} />
      <SignatureNotice document={document} isShown={shownSha256 !== null} />
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
        sha256={content.data && shownSha256 === content.data.sha256 ? shownSha256 : null}
      />
    </>
  );
}

/** Remembers which file the viewer has shown, and marks the document as read the first time. */
function useShownFile(
  { id, read_at }: CaseDocument,
  sha256: string | undefined,
  onFile: (file: ShownFile) => void,
) {
  const markRead = useMarkDocumentRead();
  const hasMarkedRead = useRef(false);
  const [shownSha256, setShownSha256] = useState<string | null>(null);
  const onShown = (file: ShownFile) => {
    onFile(file);
    setShownSha256(sha256 ?? null);
    if (read_at !== null || hasMarkedRead.current) return;
    hasMarkedRead.current = true;
    markRead.mutate(id);
  };
  return { shownSha256, onShown };
}

/** The signature form, the instructions for signing on paper, or who has signed. */
function SignatureSection({
  document,
  file,
  sha256,
}: {
  document: CaseDocument;
  file: Blob | undefined;
  /** SHA-256 of the file on the screen; null until the client has seen it. */
  sha256: string | null;
}) {
  const { signature } = document;
  const [neededSignature] = useState(signature?.required === true);
  if (!signature) return null;
  if (isSignedOnPaper(signature.signing)) return <PaperPanel document={document} file={file} />;
  if (signature.required) {
    return sha256 !== null && <SignPanel key={sha256} document={document} sha256={sha256} />;
  }
  return (
    <SignaturesPanel document={document} wasJustSigned={neededSignature && signature.signed_at !== null} />
  );
}

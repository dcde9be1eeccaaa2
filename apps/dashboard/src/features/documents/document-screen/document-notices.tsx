import { type CaseDocument, isSignedOnPaper } from '@keyturn/contract';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button, buttonClass } from '@keyturn/ui/base/button.tsx';
import { Link } from '../../../navigation/link.tsx';
import styles from './document-page.module.css';

/** Leads to the newer version of a superseded document. */
export function SupersededNotice({ document: { superseded_by } }: { document: CaseDocument }) {
  if (superseded_by === null) return null;
  return (
    <Alert
      tone="attention"
      title="There’s a newer version of this document"
      className={styles.notice}
      action={
        <Link to={`/documents/${superseded_by}`} className={buttonClass({ look: 'quiet', size: 'small' })}>
          Read the newer version
        </Link>
      }
    >
      <p>We’ve kept this version so that you can see what has changed.</p>
    </Alert>
  );
}

/** Says that the client still has to sign, with a button that leads to the form or the instructions below the document. */
export function SignatureNotice({
  document: { signature },
  isShown,
}: {
  document: CaseDocument;
  /** Whether the client can see the document; the form appears only then. */
  isShown: boolean;
}) {
  if (!signature?.required) return null;
  const isOnPaper = isSignedOnPaper(signature.signing);
  return (
    <div className={styles.signatureNotice}>
      <p>
        <strong>We need your signature{isOnPaper ? ' on paper' : ''}.</strong> Read it first.
      </p>
      <Button look="quiet" size="small" disabled={!isOnPaper && !isShown} onClick={() => scrollToSigning()}>
        {isOnPaper ? 'How to sign' : 'Go to signing'}
      </Button>
    </div>
  );
}

function scrollToSigning() {
  const section = document.getElementById('signing');
  section?.scrollIntoView({ block: 'start' });
  section?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true });
}

import type { CaseDocument } from '@keyturn/contract';
import { formatDay } from '@keyturn/format/london-time';
import { Button } from '@keyturn/ui/base/button.tsx';
import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import { saveFile } from '@keyturn/ui/files/save-file.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { useServices } from '../../../api/services/services.ts';
import { Panel } from '../../../ui/content/panel.tsx';
import { downloadName } from '../document-labels.ts';
import { paperNotice, paperSteps, receivedOriginals } from './paper-steps.ts';
import styles from './signing.module.css';

/** Explains how to sign a deed or another paper, and says whether the firm has received it. */
export function PaperPanel({ document, file }: { document: CaseDocument; file: Blob | undefined }) {
  const { signature, superseded_by } = document;
  if (!signature) return null;
  if (signature.received_on !== null) {
    return (
      <div id="signing" className={styles.signing} data-never-recorded>
        <Panel look="raised" title="We’ve received the signed document">
          <p className={styles.lead}>
            It reached us on {formatDay(signature.received_on)}. You don’t need to do anything else here.
          </p>
        </Panel>
      </div>
    );
  }
  if (superseded_by !== null) return null;
  const received = receivedOriginals(signature);
  if (signature.original_received_on) {
    return (
      <div id="signing" className={styles.signing} data-never-recorded>
        <Panel look="raised" title="We’ve received your original">
          {received.map((text) => (
            <p key={text} className={styles.lead}>
              {text}
            </p>
          ))}
          <p>You don’t need to do anything else here.</p>
        </Panel>
      </div>
    );
  }
  return (
    <div id="signing" className={styles.signing} data-never-recorded>
      <Panel look="wash" title="Sign this on paper">
        <p className={styles.lead}>{paperNotice(signature)}</p>
        <ol className={styles.steps}>
          <li>
            <PrintStep />
            <Button
              look="quiet"
              size="small"
              disabled={file === undefined}
              onClick={() => file && saveFile(file, downloadName(document, file))}
            >
              Download to print
            </Button>
          </li>
          {paperSteps(signature).map((step) => (
            <li key={step}>{step}</li>
          ))}
          <li>
            <SendStep />
          </li>
        </ol>
        {received.map((text) => (
          <p key={text} className={styles.recordNotice}>
            {text}
          </p>
        ))}
        <p className={styles.recordNotice}>
          We haven’t received {received.length > 0 ? 'yours' : 'it'} yet. Once we do, we’ll mark it as
          received here and remove the task from your list.
        </p>
      </Panel>
    </div>
  );
}

function PrintStep() {
  const phone = useFirmContact().phone;
  return (
    <p>
      Download it and print every page.
      {phone && (
        <>
          {' '}
          If you have no printer, call us on <PhoneLink phone={phone} />.
        </>
      )}
    </p>
  );
}

function SendStep() {
  const { name, address } = useFirmContact();
  const post = [name, ...address].join(', ');
  return (
    <>
      <p>Post or bring us the original:</p>
      {post && <address className={styles.address}>{post}</address>}
      <p>Email a copy only if we ask.</p>
    </>
  );
}

/** The handler’s contact details with the firm’s address; without a case, the firm’s own. */
function useFirmContact() {
  const { config } = useServices();
  const conveyancingCase = useClient().data?.conveyancing_case;
  const handler = conveyancingCase?.handlers[0];
  const firm = conveyancingCase?.firm ?? config.firm;
  return {
    name: firm?.name ?? 'us',
    address: firm?.address ?? [],
    phone: handler?.phone ?? firm?.phone,
  };
}

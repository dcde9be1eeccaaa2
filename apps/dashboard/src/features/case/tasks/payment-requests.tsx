import { Alert } from '@keyturn/ui/base/alert.tsx';
import { buttonClass } from '@keyturn/ui/base/button.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { useClient } from '../../../api/queries/use-client.ts';
import { Link } from '../../../navigation/link.tsx';

/** Leads to each payment that the firm has asked this client for by email, of all their cases. */
export function PaymentRequests() {
  return useClient().data?.payment_requests?.map(({ id, description }) => (
    <Alert
      key={id}
      tone="information"
      title={`Please pay: ${description}`}
      action={
        <Link to="/payments" query={{ link: id }} className={buttonClass({ look: 'quiet' })}>
          See the amount<VisuallyHidden> of {description}</VisuallyHidden>
        </Link>
      }
    >
      <p>We’ve asked you to pay this.</p>
    </Alert>
  ));
}

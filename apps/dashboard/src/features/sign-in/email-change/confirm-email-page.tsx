import { LinkActions, useConfirm } from './link-actions.tsx';

/** The screen behind the link that was emailed to a new email address. */
export default function ConfirmEmailPage() {
  const confirm = useConfirm();
  return (
    <LinkActions
      heading="Confirm your email address"
      about="You’ll sign in with this address from now on, and get our emails there. We’ll sign you out on all your devices when the address changes."
      actions={[{ label: 'Confirm this address', use: confirm }]}
    />
  );
}

import { useEffect, useEffectEvent } from 'react';
import { useServices } from '../../../api/services/services.ts';

/**
 * Reloads the page when the client signs out, in any tab, while the bank's check is open. Stripe shows the check over the
 * page, and only Stripe or a reload can remove it.
 */
export function useReloadOnSignOut(isCheckOpen: boolean): void {
  const { auth } = useServices();
  const onAuthChange = useEffectEvent(() => {
    if (isCheckOpen && !auth.get()) window.location.reload();
  });
  useEffect(() => auth.subscribe(() => onAuthChange()), [auth]);
}

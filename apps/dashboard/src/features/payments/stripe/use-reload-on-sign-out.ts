import { useEffect, useEffectEvent } from 'react';
import { useServices } from '../../../api/services/services.ts';

/**
 * The bank's check stands over the page and is Stripe's to take away. Who signs out meanwhile, in another tab too,
 * leaves nothing on the screen: the page is loaded anew.
 */
export function useReloadOnSignOut(isAsking: boolean): void {
  const { auth } = useServices();
  const onLeft = useEffectEvent(() => {
    if (isAsking && !auth.get()) window.location.reload();
  });
  useEffect(() => auth.subscribe(() => onLeft()), [auth]);
}

import { useLayoutEffect } from 'react';
import { useRouter } from './navigation.tsx';
import type { Path } from './paths.ts';

/** Opens another screen in the place of this one. */
export function Navigate({ to }: { to: Path }) {
  const router = useRouter();
  // A layout effect, so that the root layout does not count the page that renders this as shown.
  useLayoutEffect(() => void router.open(to, { replace: true }), [router, to]);
  return null;
}

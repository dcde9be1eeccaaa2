import { useQuery } from '@tanstack/react-query';
import { callStaff } from './desk-api.ts';

export const ownFactorsKey = ['own-factors'] as const;

/** Reads the member’s passkeys, authenticator apps and the number of recovery codes left. */
export const useOwnFactors = () =>
  useQuery({
    queryKey: ownFactorsKey,
    queryFn: ({ signal }) => callStaff('GET /staff/factors', { signal }),
  });

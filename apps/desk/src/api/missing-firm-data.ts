import { useQuery } from '@tanstack/react-query';
import { callStaff } from './desk-api.ts';

export const missingFirmDataKey = ['GET /staff/missing-firm-data'];

/** Reads what the firm must still enter before it invites its first client; undefined while loading. */
export const useMissingFirmData = () =>
  useQuery({
    queryKey: missingFirmDataKey,
    queryFn: ({ signal }) => callStaff('GET /staff/missing-firm-data', { signal }),
  }).data;

/** Whether the firm cannot invite clients yet. */
export const useInvitationsRefused = (): boolean => useMissingFirmData()?.allows_invitations === false;

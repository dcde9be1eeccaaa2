import type { StaffRole } from '@keyturn/contract/staff';
import { formatShortMoment } from '@keyturn/format/dates';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { callStaff, useMember } from '../../api/desk-api.ts';
import styles from './payments.module.css';

const pages: { path: string; name: string; isForHandlers: boolean }[] = [
  { path: '/payments', name: 'All payments', isForHandlers: true },
  { path: '/payments/refunds', name: 'Refunds', isForHandlers: true },
  { path: '/payments/disputes', name: 'Disputes', isForHandlers: true },
  { path: '/payments/discrepancies', name: 'Discrepancies', isForHandlers: false },
  { path: '/payments/ledger', name: 'Ledger', isForHandlers: false },
];

const canOpen = (isForHandlers: boolean, role: StaffRole) => isForHandlers || role !== 'handler';

/** The frame of the pages about payments, with notices about anything that stops or endangers payments. */
export function PaymentsFrame({ children }: { children: ReactNode }) {
  const { role } = useMember();
  const [address] = useLocation();
  return (
    <>
      <nav className={styles.tabs} aria-label="Payments">
        {pages
          .filter(({ isForHandlers }) => canOpen(isForHandlers, role))
          .map(({ path, name }) => (
            <Link key={path} to={path} aria-current={address === path ? 'page' : undefined}>
              {name}
            </Link>
          ))}
      </nav>
      <Notices />
      {children}
    </>
  );
}

function Notices() {
  const { data: notices = [] } = useQuery({
    queryKey: ['payment-notices'],
    queryFn: ({ signal }) => callStaff('GET /staff/payment-notices', { signal }),
    refetchInterval: 60_000,
  });
  if (notices.length === 0) return null;
  return (
    <div className={styles.notices}>
      {notices.map(({ kind, since, found, to_do }) => (
        <Alert key={kind + found} tone="attention" title={found}>
          <p>
            {to_do}
            {since && ` Since ${formatShortMoment(since)}.`}
          </p>
        </Alert>
      ))}
    </div>
  );
}

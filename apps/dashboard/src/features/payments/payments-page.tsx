import { PageHeading } from '../../ui/page-heading.tsx';

export function PaymentsPage() {
  return <PageHeading>Payments</PageHeading>;
}

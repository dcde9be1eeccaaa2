import { PageHeading } from '../../ui/page-heading.tsx';

export function OtherPaymentPage() {
  return <PageHeading>Make another payment</PageHeading>;
}

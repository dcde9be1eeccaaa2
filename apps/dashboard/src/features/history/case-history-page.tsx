import { PageHeading } from '../../ui/page-heading.tsx';

export function CaseHistoryPage() {
  return <PageHeading>Case history</PageHeading>;
}

import { PageHeading } from '../../ui/page-heading.tsx';

export function DocumentGroupPage() {
  return <PageHeading>Documents</PageHeading>;
}

import { PageHeading } from '../../ui/page-heading.tsx';

export function DocumentPage() {
  return <PageHeading>Document</PageHeading>;
}

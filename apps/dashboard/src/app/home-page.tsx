import { PageHeading } from '../ui/page-heading.tsx';

export function HomePage() {
  return <PageHeading>Your case</PageHeading>;
}

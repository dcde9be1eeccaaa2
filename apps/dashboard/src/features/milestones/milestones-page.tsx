import { PageHeading } from '../../ui/page-heading.tsx';

export function MilestonesPage() {
  return <PageHeading>Milestones</PageHeading>;
}

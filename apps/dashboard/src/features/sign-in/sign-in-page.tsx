import { PageHeading } from '../../ui/page-heading.tsx';

export function SignInPage() {
  return <PageHeading>Sign in to your case</PageHeading>;
}

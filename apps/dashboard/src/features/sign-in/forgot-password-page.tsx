import { PageHeading } from '../../ui/page-heading.tsx';

export function ForgotPasswordPage() {
  return <PageHeading>Forgotten your password?</PageHeading>;
}

import { Alert } from '../../src/base/alert.tsx';
import { Brand } from '../../src/base/brand.tsx';
import { Button } from '../../src/base/button.tsx';
import { PageHeading } from '../../src/base/page-heading.tsx';
import { PhoneLink } from '../../src/content/phone-link.tsx';
import { StatusTag } from '../../src/content/status-tag.tsx';
import { VisuallyHidden } from '../../src/content/visually-hidden.tsx';
import { ErrorBoundary } from '../../src/states/error-boundary.tsx';
import { LoadFailure } from '../../src/states/load-failure.tsx';
import { Skeleton } from '../../src/states/skeleton.tsx';
import type { Samples } from './samples.ts';

/** Names, headings, messages and statuses. */
export const messageSamples: Samples = {
  Brand: () => (
    <>
      <Brand name="Alder & Finch Conveyancing" />
      <Brand name="Alder & Finch Conveyancing" large />
    </>
  ),
  'Page heading': () => <PageHeading>Your case</PageHeading>,
  Alert: () =>
    (['information', 'attention', 'danger', 'good'] as const).map((tone) => (
      <Alert
        key={tone}
        tone={tone}
        title="Your payment was received"
        action={
          <Button look="quiet" size="small">
            See the receipt
          </Button>
        }
      >
        <p>We order the search on the next working day.</p>
      </Alert>
    )),
  'Status tag': () =>
    (['to-do', 'moving', 'good', 'note', 'held', 'off'] as const).map((tone) => (
      <StatusTag key={tone} tone={tone}>
        {tone}
      </StatusTag>
    )),
  'Phone link': () => (
    <p>
      Call <PhoneLink phone="01225 496 000" />.
    </p>
  ),
  'Visually hidden': () => (
    <p>
      14 Alder Row<VisuallyHidden>, the property that you are selling</VisuallyHidden>
    </p>
  ),
  'Error boundary': () => (
    <ErrorBoundary fallback={(error) => <p>It failed: {String(error)}</p>}>
      <Failing />
    </ErrorBoundary>
  ),
  'Load failure': () =>
    [false, true].map((isTrying) => (
      <LoadFailure
        key={String(isTrying)}
        what="Your searches"
        message="The server can’t be reached. Check your connection and try again."
        onRetry={() => {}}
        isTrying={isTrying}
      />
    )),
  Skeleton: () => (
    <>
      <Skeleton lines={3} />
      <Skeleton height={80} width={240} />
    </>
  ),
};

function Failing(): never {
  throw new Error('made up for the gallery');
}

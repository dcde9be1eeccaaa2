import type { WebhookEndpoint } from '@keyturn/contract/staff';
import { formatEntryMoment } from '@keyturn/format/dates';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { errorText } from '../../api/client/staff-error.ts';
import { LinkButton } from '../../ui/base/button.tsx';
import { PageHead } from '../../ui/base/page.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { type AskedAboutEndpoints, EndpointDialog } from './endpoint-dialog.tsx';
import { endpointState, subscriptionOf } from './endpoint-text.ts';
import styles from './integrations.module.css';
import { useEndpoints } from './use-endpoints.ts';

/** An endpoint with its deliveries. */
export default function WebhookPage({ params }: { params: { id?: string } }) {
  const [, navigate] = useLocation();
  const { endpoints, refresh } = useEndpoints();
  const [asked, setAsked] = useState<AskedAboutEndpoints | null>(null);
  const endpoint = endpoints.data?.find(({ id }) => id === params.id);
  if (endpoints.error && !endpoints.data) {
    return (
      <LoadFailure
        what="The endpoint"
        message={errorText(endpoints.error)}
        onRetry={() => void endpoints.refetch()}
        isTrying={endpoints.isFetching}
      />
    );
  }
  if (!endpoints.data) return <Skeleton width="60%" />;
  if (!endpoint) {
    return (
      <>
        <PageHead title="There is no such endpoint">It may have been deleted.</PageHead>
        <LinkButton to="/settings/webhooks">Back to the webhooks</LinkButton>
      </>
    );
  }
  return (
    <>
      <p className={styles.up}>
        <Link to="/settings/webhooks">All webhooks</Link>
      </p>
      <PageHead
        title={endpoint.description}
        actions={<EndpointActions endpoint={endpoint} onAsk={setAsked} onDone={refresh} look="quiet" />}
      >
        <span className={styles.address}>{endpoint.url}</span>
      </PageHead>
      <Facts endpoint={endpoint} />
      <DeliveryLog endpoint={endpoint} onResent={refresh} />
      <EndpointDialog
        asked={asked}
        onAsk={setAsked}
        onDone={async (kind) => {
          if (kind === 'delete') navigate('/settings/webhooks', { replace: true });
          await refresh();
        }}
      />
    </>
  );
}

function Facts({ endpoint }: { endpoint: WebhookEndpoint }) {
  const today = useToday();
  const { tone, text } = endpointState(endpoint);
  const facts = [
    [
      'State',
      <StatusTag key="state" tone={tone}>
        {text}
      </StatusTag>,
    ],
    ['Notified about', subscriptionOf(endpoint)],
    ['Created', formatEntryMoment(endpoint.created_at, today)],
  ] as const;
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

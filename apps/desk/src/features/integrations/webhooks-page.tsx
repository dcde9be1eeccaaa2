import type { WebhookEndpoint } from '@keyturn/contract/staff';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Button } from '../../ui/base/button.tsx';
import { EmptyState, PageHead } from '../../ui/base/page.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { type AskedAboutEndpoints, EndpointDialog } from './endpoint-dialog.tsx';
import { endpointState, subscriptionOf } from './endpoint-text.ts';
import styles from './integrations.module.css';
import { useEndpoints } from './use-endpoints.ts';

const pathOf = ({ id }: WebhookEndpoint) => `/settings/webhooks/${id}`;

/** Where admins manage the addresses of the firm’s systems that are notified about events. */
export default function WebhooksPage() {
  const [, navigate] = useLocation();
  const { endpoints, refresh } = useEndpoints();
  const [asked, setAsked] = useState<AskedAboutEndpoints | null>(null);
  const columns: Column<WebhookEndpoint>[] = [
    {
      key: 'description',
      heading: 'System',
      isRowHeader: true,
      cell: (endpoint) => (
        <>
          <Link to={pathOf(endpoint)}>{endpoint.description}</Link>
          <span className={styles.below}>{endpoint.url}</span>
        </>
      ),
    },
    {
      key: 'state',
      heading: 'State',
      cell: (endpoint) => {
        const { tone, text } = endpointState(endpoint);
        return <StatusTag tone={tone}>{text}</StatusTag>;
      },
    },
    { key: 'events', heading: 'Notified about', cell: subscriptionOf },
    {
      key: 'waiting',
      heading: 'Waiting',
      align: 'end',
      cell: ({ pending, retrying }) => pending + retrying,
    },
    { key: 'dead', heading: 'Dead letters', align: 'end', cell: ({ dead }) => dead },
    {
      key: 'actions',
      heading: 'Actions',
      isHeadingHidden: true,
      align: 'end',
      cell: (endpoint) => (
        <EndpointActions endpoint={endpoint} onAsk={setAsked} onDone={refresh} look="plain" />
      ),
    },
  ];
  return (
    <>
      <PageHead
        title="Webhooks"
        actions={
          <Button look="primary" onClick={() => setAsked({ kind: 'create' })}>
            Create an endpoint
          </Button>
        }
      >
        Keyturn notifies your systems when a client pays, signs, reads or completes something. A message has
        references, and no names, amounts or texts.
      </PageHead>
      <Table
        label="Endpoints"
        columns={columns}
        query={endpoints}
        keyOf={({ id }) => id}
        onOpen={(endpoint) => navigate(pathOf(endpoint))}
        empty={
          <EmptyState title="There are no endpoints.">
            No events are kept until you create one: it is notified about what happens from then on.
          </EmptyState>
        }
        isMain
      />
      <EndpointDialog asked={asked} onAsk={setAsked} onDone={refresh} />
    </>
  );
}

import type { WebhookEndpoint } from '@keyturn/contract/staff';
import { callStaff } from '../../api/desk-api.ts';
import { showFailure, showToast } from '../../ui/feedback/toast-store.ts';
import { Menu } from '../../ui/overlays/menu.tsx';
import type { AskedAboutEndpoints } from './endpoint-dialog.tsx';
import { answerText, isAccepted } from './endpoint-text.ts';

interface EndpointActionsProps {
  endpoint: WebhookEndpoint;
  onAsk(asked: AskedAboutEndpoints): void;
  onDone(): Promise<unknown>;
  /** Shown as a link in a table, or as a button on a page. */
  look: 'plain' | 'quiet';
}

/** The actions of admins on an endpoint. */
export function EndpointActions({ endpoint, onAsk, onDone, look }: EndpointActionsProps) {
  const ask = (kind: 'change' | 'rotate' | 'disable' | 'delete') => () => onAsk({ kind, endpoint });
  return (
    <Menu
      look={look}
      about={`for ${endpoint.description}`}
      items={[
        { name: 'Send a test message', onChoose: () => void sendTest(endpoint) },
        { name: 'Change name and events', onChoose: ask('change') },
        { name: 'Replace the secret', onChoose: ask('rotate') },
        endpoint.state === 'enabled'
          ? { name: 'Disable', isDangerous: true, onChoose: ask('disable') }
          : { name: 'Enable', onChoose: () => void enable(endpoint, onDone) },
        { name: 'Delete', isDangerous: true, onChoose: ask('delete') },
      ]}
    >
      Manage
    </Menu>
  );
}

/** Sends a test message, and shows the endpoint’s answer. */
async function sendTest({ id, description }: WebhookEndpoint): Promise<void> {
  showToast(`Sending a test message to ${description}…`);
  try {
    const answer = await callStaff('POST /staff/webhooks/{id}/test', { params: { id }, timeout: 30_000 });
    showToast(`Test message to ${description}. ${answerText(answer)}.`, {
      tone: isAccepted(answer) ? 'good' : 'danger',
    });
  } catch (error) {
    showFailure(error);
  }
}

async function enable({ id, description }: WebhookEndpoint, onDone: () => Promise<unknown>): Promise<void> {
  try {
    await callStaff('POST /staff/webhooks/{id}/enable', { params: { id } });
    showToast(`${description} is enabled. Waiting events are being sent now.`);
    await onDone();
  } catch (error) {
    showFailure(error);
  }
}

import type { Client } from '@keyturn/contract';
import { caseStoreFor } from '../case/case-store.ts';
import type { Services } from '../services/services.ts';

/** Stores the client and their active case for the next visit. Another case than before starts a new generation. */
export function storeClient(services: Services, client: Client): void {
  services.auth.setClient(client);
  caseStoreFor(services).setConveyancingCase(client.conveyancing_case);
}

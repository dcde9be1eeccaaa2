import { Maintenance } from '../entities/maintenance.ts';
import type { CallDefinition } from './call-definition.ts';
import { usualPolicy } from './call-policy.ts';

export const maintenanceCalls = {
  'GET /maintenance': {
    summary: 'List which parts are in maintenance, and until when',
    ...usualPolicy,
    access: 'anyone',
    duringMaintenance: true,
    data: Maintenance,
    errors: [],
  },
} as const satisfies Record<string, CallDefinition>;

import { join } from 'node:path';
import type { PublicConfig } from '@keyturn/contract';
import type { FastifyInstance } from 'fastify';
import { connectDatabase } from './adapters/postgres/connect.ts';
import { readConveyancingCase } from './features/conveyancing-case/read-conveyancing-case.ts';
import { clientRoutes } from './features/clients/routes.ts';
import { historyRoutes } from './features/history/routes.ts';
import { milestoneRoutes } from './features/milestones/routes.ts';
import { searchRoutes } from './features/searches/routes.ts';
import { createLoginThrottle } from './features/sign-in/login-throttle.ts';
import { createPasswords } from './features/sign-in/passwords.ts';
import { signInRoutes } from './features/sign-in/routes.ts';
import { createSessions } from './features/sign-in/sessions.ts';
import { createServer } from './http/create-server.ts';
import { serveDashboard } from './http/serve-dashboard.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { StartFault } from './platform/start-fault.ts';
import { installation } from './platform/tables.ts';
import type { Settings } from './settings.ts';

export interface ComposeOptions {
  settings: Settings;
  /** Migrated. */
  databaseUrl: string;
  projectDirectory: string;
  version: string;
  clock?: Clock;
}

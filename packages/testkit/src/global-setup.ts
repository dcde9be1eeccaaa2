import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmbeddedCluster,
  startEmbeddedCluster,
} from '@keyturn/server/adapters/postgres/embedded-cluster.ts';
import { migrate } from '@keyturn/server/schema/migrate.ts';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { acceptEveryPayment } from './builders/accept-every-payment.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connects to the maintenance database of the run's cluster. */
    clusterUrl: string;
    templateName: string;
  }
}

/**
 * Vitest's global set-up for unit tests: starts a temporary PostgreSQL for the whole run, with one migrated template
 * that each test file clones.
 */
export default async function setUpTestCluster(project: TestProject) {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'keyturn-test-'));
  const cluster = await startEmbeddedCluster({ dataDirectory, durable: false, maxConnections: 300 });
  const stop = async () => {
    await cluster.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  };
  try {
    const templateName = await createTemplate(cluster);
    project.provide('clusterUrl', cluster.urlOf('postgres'));
    project.provide('templateName', templateName);
  } catch (error) {
    // A migration that fails must not leave PostgreSQL behind.
    await stop();
    throw error;
  }
  return stop;
}

/** @returns the name of the migrated database */
async function createTemplate(cluster: EmbeddedCluster): Promise<string> {
  const templateName = 'keyturn_template';
  const client = new pg.Client({ connectionString: cluster.urlOf('postgres') });
  await client.connect();
  await client.query(`create database ${templateName}`);
  // Tests open thousands of connections, and each side derives a key from the password in 4,096 rounds by default.
  await client.query('set scram_iterations to 1');
  await client.query(`alter role current_user password ${client.escapeLiteral(String(client.password))}`);
  await client.end();
  await migrate(cluster.urlOf(templateName));
  await query(cluster.urlOf(templateName), acceptEveryPayment);
  return templateName;
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}

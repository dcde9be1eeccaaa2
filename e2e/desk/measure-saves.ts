import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DeskMilestone } from '@keyturn/contract/staff';
import { connectDatabase } from '../../apps/server/src/adapters/postgres/connect.ts';
import { buildStaff, startStaffSession } from '../../apps/server/src/testing/serve-staff.ts';
import { productDatabaseUrl } from '../harness/product-database.ts';
import { runKeyturn } from '../harness/run-keyturn.ts';
import { startProduct } from '../harness/start-product.ts';
import { makeFeed } from '../imports/make-feed.ts';

/** The durations of saves in milliseconds, and the HTTP statuses of those that failed. */
export interface SavesMeasurement {
  saves: number;
  p50: number;
  p95: number;
  longest: number;
  failed: number[];
}

interface Member {
  headers: Record<string, string>;
  milestone: Pick<DeskMilestone, 'id' | 'version'>;
}

const memberCount = 20;
/** A member who is fast: opens a step, sets a date and saves. */
const pauseBetweenSaves = 5_000;
const warmUp = 10_000;
const idleTime = 30_000;

/**
 * Measures twenty members who each save a date of a different case every five seconds, over HTTP: first alone, then while
 * `keyturn import` writes a feed, which has their cases too, into the same database.
 */
export async function measureSaves({ records, seed }: { records: number; seed: number }): Promise<{
  idle: SavesMeasurement;
  importing: SavesMeasurement;
  /** Milliseconds that the import took. */
  importTime: number;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'keyturn-saves-'));
  const product = await startProduct({ env: { KEYTURN_DEMONSTRATION: 'off' } });
  try {
    const importFile = async (name: string, size: number) => {
      const { file } = await makeFeed({ folder: join(folder, name), records: size, seed });
      const start = performance.now();
      const { code, output } = await runKeyturn(product.dataDirectory, ['import', file]);
      if (code !== 0) throw new Error(`keyturn import failed: ${output.slice(-2_000)}`);
      return performance.now() - start;
    };
    await importFile('first', memberCount * recordsPerCase);
    const members = await createMembers(product);
    const save = (until: Promise<unknown>) => saveUntil(product.url, members, until);
    await save(pause(warmUp));
    const idle = await save(pause(idleTime));
    const imported = importFile('large', records);
    const importing = await save(imported);
    return { idle, importing, importTime: await imported };
  } finally {
    await product.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(product.dataDirectory, { recursive: true, force: true });
  }
}

/** More than a generated case has, so that each member has a separate one. */
const recordsPerCase = 30;

async function createMembers({
  url,
  dataDirectory,
}: {
  url: string;
  dataDirectory: string;
}): Promise<Member[]> {
  const connected = connectDatabase({ url: productDatabaseUrl(dataDirectory), size: 1 });
  try {
    const { rows } = await connected.pool.query<{ id: string; case_id: string }>(
      `select distinct on (case_id) milestones.id, case_id from milestones join matters on matters.id = matter_id
       where milestones.status = 'current' order by case_id limit $1`,
      [memberCount],
    );
    if (rows.length < memberCount) throw new Error(`only ${rows.length} cases have a current step`);
    const members: Member[] = [];
    for (const { id, case_id } of rows) {
      const member = await buildStaff(connected);
      const headers = {
        ...(await startStaffSession(connected, member.id)),
        origin: url,
        'content-type': 'application/json',
      };
      const answer = await fetch(`${url}/api/staff/cases/${case_id}`, { headers });
      if (!answer.ok) throw new Error(`the case was not read: ${answer.status} ${await answer.text()}`);
      const { data } = await answer.json();
      const milestone = data.matters
        .flatMap(({ milestones }: { milestones: DeskMilestone[] }) => milestones)
        .find((each: DeskMilestone) => each.id === id);
      members.push({ headers, milestone });
    }
    return members;
  } finally {
    await connected.close();
  }
}

async function saveUntil(url: string, members: Member[], end: Promise<unknown>): Promise<SavesMeasurement> {
  let hasEnded = false;
  const times: number[] = [];
  const failed: number[] = [];
  const ended = end.finally(() => {
    hasEnded = true;
  });
  const work = async (member: Member, position: number) => {
    await pause((position * pauseBetweenSaves) / members.length);
    for (let day = 1; !hasEnded; day = (day % 28) + 1) {
      const start = performance.now();
      const answer = await fetch(`${url}/api/staff/milestones/${member.milestone.id}`, {
        method: 'PUT',
        headers: member.headers,
        body: JSON.stringify({
          version: member.milestone.version,
          changes: { next_update_by: `2027-01-${String(day).padStart(2, '0')}` },
        }),
      });
      const body = await answer.json();
      times.push(performance.now() - start);
      if (answer.ok) member.milestone = body.data.milestone;
      else failed.push(answer.status);
      await pause(pauseBetweenSaves);
    }
  };
  await Promise.all([...members.map(work), ended]);
  times.sort((one, other) => one - other);
  const percentile = (share: number) => times[Math.floor(share * (times.length - 1))] ?? 0;
  return {
    saves: times.length,
    p50: percentile(0.5),
    p95: percentile(0.95),
    longest: times.at(-1) ?? 0,
    failed,
  };
}

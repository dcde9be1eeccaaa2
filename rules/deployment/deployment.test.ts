import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../../apps/server/src/settings/read-settings.ts';
import {
  compose,
  composeSettings,
  composeVariables,
  dockerfile,
  fillIn,
  imageFiles,
  imageSettings,
  interpolate,
  lastStage,
  parse,
  read,
  root,
} from './read-deployment.ts';

/** Returns the seconds after which a stopping server ends itself. */
function longestStop({ KEYTURN_DRAIN_SECONDS, KEYTURN_STOP_SECONDS }: NodeJS.ProcessEnv): number {
  const { drainSeconds, stopSeconds } = readSettings(
    { KEYTURN_DRAIN_SECONDS, ...(KEYTURN_STOP_SECONDS ? { KEYTURN_STOP_SECONDS } : {}) },
    root,
  );
  return drainSeconds + stopSeconds + 10;
}

const kubernetes = readdirSync(join(root, 'deploy/kubernetes'))
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) => parse(`kubernetes/${name}`));
/** Finds a resource of Kubernetes by its kind and name. */
const find = (kind: string, name = 'keyturn') =>
  kubernetes.find((resource) => resource.kind === kind && resource.metadata.name === name);

describe('deploy/compose.yaml', () => {
  test.each(['server-1', 'server-2', 'migrate'])('gives %s settings that production accepts', (service) => {
    const { NODE_ENV, ...settings } = composeSettings(service);
    expect(NODE_ENV).toBe('production');
    expect(readSettings(settings, root)).toMatchObject({ environment: 'production', migratesAtStart: false });
  });

  test('mentions no variable that its example lacks, and no variable twice', () => {
    expect(() => interpolate(read('compose.yaml'))).not.toThrow();
  });

  test('gives servers an identity at the store that can only use the objects of their bucket', () => {
    const text: string = compose.services.storage.environment.IDENTITIES;
    const { identities } = JSON.parse(text) as {
      identities: { credentials: { accessKey: string; secretKey: string }[]; actions: string[] }[];
    };
    const identitiesWith = (accessKey: string | undefined) =>
      identities.filter(({ credentials }) => credentials.some((pair) => pair.accessKey === accessKey));
    const bucket = compose.services['server-1'].environment.KEYTURN_S3_BUCKET;
    for (const name of ['server-1', 'server-2', 'migrate']) {
      const { KEYTURN_S3_ACCESS_KEY_ID: key, ...environment } = compose.services[name].environment;
      expect(identitiesWith(key).map(({ actions }) => actions)).toEqual([
        [`Read:${bucket}`, `Write:${bucket}`, `List:${bucket}`],
      ]);
      expect(JSON.stringify(environment)).not.toContain('STORAGE_ADMIN');
    }
    const { environment, entrypoint, command } = compose.services['create-bucket'];
    expect(identitiesWith(environment.AWS_ACCESS_KEY_ID).map(({ actions }) => actions)).toEqual([['Admin']]);
    expect([entrypoint, command].join(' ')).toContain(`create-bucket --bucket ${bucket}`);
    expect(compose.services['server-1'].depends_on['create-bucket']).toEqual({
      condition: 'service_completed_successfully',
    });
  });

  test('serves only the host name of its proxy', () => {
    const { KEYTURN_HOST: host } = composeVariables;
    const { NODE_ENV: _mode, ...settings } = composeSettings('server-1');
    expect(readSettings(settings, root)).toMatchObject({
      publicUrl: `https://${host}`,
      security: { allowedHosts: [host] },
    });
  });

  test('stops servers later than they drain and shut down', () => {
    for (const name of ['server-1', 'server-2']) {
      const service = compose.services[name];
      const seconds = Number(/^(\d+)s$/.exec(service.stop_grace_period)?.[1]);
      expect(seconds).toBeGreaterThan(longestStop(service.environment));
    }
  });

  test.each(Object.keys(compose.services))(
    'gives the container of %s no capability that it does not need, and a read-only file system',
    (name) => {
      expect(compose.services[name]).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect(compose.services[name].cap_add ?? []).toEqual(name === 'proxy' ? ['NET_BIND_SERVICE'] : []);
      // Compose refuses to start a container with a read-only file system that it has to copy a file into.
      expect(compose.services[name]).not.toHaveProperty('configs');
    },
  );

  test.each(Object.keys(compose.services))(
    'limits the memory and the processes of %s, and connects it only to what it uses',
    (name) => {
      const { mem_limit: memory, pids_limit: processes, networks } = compose.services[name];
      expect([memory, processes]).toEqual([expect.stringMatching(/^\d+[mg]$/), expect.any(Number)]);
      const used: Record<string, string[]> = {
        proxy: ['internet', 'pages'],
        postgres: ['database'],
        storage: ['documents'],
        'create-bucket': ['documents'],
        redis: ['live-updates'],
      };
      expect(networks).toEqual(used[name] ?? ['pages', 'database', 'documents', 'live-updates', 'outgoing']);
    },
  );

  test('only the proxy and the servers reach the internet', () => {
    const open = Object.entries(compose.networks as Record<string, { internal?: boolean } | null>)
      .filter(([, network]) => !network?.internal)
      .map(([name]) => name);
    expect(open).toEqual(['internet', 'outgoing']);
  });

  test('waits for a server that is ready, as deploying.md says, when it replaces one', () => {
    const { test: command } = compose.services['server-1'].healthcheck;
    expect(command).toEqual(['CMD', 'node', 'deploy/check-health.mjs', 'readyz']);
  });
});

describe('Redis between servers', () => {
  test('servers of deploy/compose.yaml accept the address that its example names', () => {
    const [, example = ''] = /^# Optional.*: (redis:\S+),/m.exec(read('keyturn.env.example')) ?? [];
    const { hostname } = new URL(example);
    expect(compose.services).toHaveProperty(hostname);
    const url = example.replace('PASSWORD', 'example-1');
    const { NODE_ENV: _mode, ...settings } = composeSettings('server-1');
    const { realtime } = readSettings({ ...settings, KEYTURN_REALTIME_REDIS_URL: url }, root);
    expect(realtime.redisUrl).toBe(url);
  });

  test('Redis stores nothing, requires a password, and runs without privileges', () => {
    const { redis } = compose.services;
    const pod = find('Deployment', 'keyturn-redis').spec.template.spec;
    const [container] = pod.containers;
    expect(container.args).toEqual([...redis.command, '--requirepass', '$(REDISCLI_AUTH)']);
    expect(redis.command).toEqual(['--save', '', '--appendonly', 'no']);
    const start = redis.entrypoint.join(' ').replaceAll('$$', '$');
    expect(start).toContain(
      'test -n "$REDISCLI_AUTH" && exec redis-server "$@" --requirepass "$REDISCLI_AUTH"',
    );
    expect(redis).toMatchObject({ profiles: ['redis'], read_only: true, cap_drop: ['ALL'], user: 'redis' });
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(container.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
    });
    const { spec } = find('NetworkPolicy', 'keyturn-redis');
    expect(spec.podSelector.matchLabels).toEqual({ app: 'keyturn-redis' });
    expect(spec.ingress[0].from).toEqual([{ podSelector: { matchLabels: { app: 'keyturn' } } }]);
  });
});

describe('deploy/kubernetes', () => {
  test('names what servers may connect to, without the cloud’s addresses for credentials of machines', () => {
    const { policyTypes, egress } = find('NetworkPolicy').spec;
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    expect(egress.every(({ to, ports }: { to: object[]; ports: object[] }) => to && ports)).toBe(true);
    const blocks = egress.flatMap(({ to }: { to: { ipBlock?: object }[] }) => to.map((peer) => peer.ipBlock));
    expect(blocks.filter(Boolean)).toEqual([{ cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] }]);
  });

  test('gives servers settings that production accepts, without a warning, and secrets in files', () => {
    const { NODE_ENV: _mode, ...image } = imageSettings;
    const certificate = join(root, 'deploy/Dockerfile');
    const examples = read('kubernetes/secrets.env.example').replaceAll('/etc/keyturn/ca.pem', certificate);
    const secrets = fillIn(parseEnv(examples));
    const folder = mkdtempSync(join(tmpdir(), 'keyturn-secrets-'));
    try {
      for (const [name, secret] of Object.entries(secrets)) writeFileSync(join(folder, name), secret);
      const { containers, volumes } = find('Deployment').spec.template.spec;
      const { mountPath } = containers[0].volumeMounts.find(
        ({ name }: { name: string }) => name === 'secrets',
      );
      expect(volumes).toContainEqual({ name: 'secrets', secret: { secretName: 'keyturn' } });
      const configured = JSON.stringify(fillIn(find('ConfigMap').data)).replaceAll(mountPath, folder);
      const settings = readSettings({ ...image, ...JSON.parse(configured) }, root);
      expect(settings).toMatchObject({ environment: 'production', warnings: [] });
      const found = JSON.stringify(settings);
      expect(Object.values(secrets).filter((secret) => !found.includes(secret))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('gives the password of the tables’ owner to the migration only', () => {
    const job = find('Job', 'keyturn-migrate').spec.template.spec;
    expect(job.volumes).toContainEqual({ name: 'owner', secret: { secretName: 'keyturn-owner' } });
    const [{ env, volumeMounts }] = job.containers;
    const { mountPath } = volumeMounts.find(({ name }: { name: string }) => name === 'owner');
    const setting = 'KEYTURN_DATABASE_OWNER_URL';
    expect(env).toEqual([{ name: `${setting}_FILE`, value: `${mountPath}/${setting}` }]);
    expect(JSON.stringify(find('Deployment'))).not.toContain('keyturn-owner');
  });

  test('stops servers later than they drain and shut down, and runs them without rights', () => {
    const { spec } = find('Deployment').spec.template;
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(longestStop(find('ConfigMap').data));
    for (const { spec: pod } of [
      find('Deployment').spec.template,
      find('Job', 'keyturn-migrate').spec.template,
    ]) {
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true });
      // Otherwise a Service named `keyturn` adds variables that look like unknown settings, and nothing starts.
      expect(pod.enableServiceLinks).toBe(false);
      for (const { securityContext } of pod.containers)
        expect(securityContext).toMatchObject({
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
        });
    }
    const [{ livenessProbe, readinessProbe }] = spec.containers;
    expect([livenessProbe.httpGet.path, readinessProbe.httpGet.path]).toEqual(['/healthz', '/readyz']);
    // The load balancer must notice that a server is not ready while it still answers.
    const drain = Number(find('ConfigMap').data.KEYTURN_DRAIN_SECONDS);
    expect(readinessProbe.periodSeconds * readinessProbe.failureThreshold).toBeLessThan(drain);
  });

  test('replaces servers without running fewer than before, and needs no volume that outlives them', () => {
    const { replicas, strategy, selector, template } = find('Deployment').spec;
    expect(replicas).toBeGreaterThan(1);
    expect(strategy).toMatchObject({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0 } });
    expect(find('PodDisruptionBudget').spec).toEqual({ maxUnavailable: 1, selector });
    expect(template.spec.topologySpreadConstraints[0]).toMatchObject({
      topologyKey: 'kubernetes.io/hostname',
    });
    const { volumes, containers } = template.spec;
    const persistent = volumes.filter(
      (volume: object) => !['emptyDir', 'configMap', 'secret'].some((kind) => kind in volume),
    );
    expect(persistent).toEqual([]);
    const written = containers[0].volumeMounts.filter(({ readOnly }: { readOnly?: boolean }) => !readOnly);
    expect(written.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual(['/data', '/tmp']);
  });

  test('lets only the gateway send requests to servers, and only the monitoring read their metrics', () => {
    const { podSelector, policyTypes, ingress } = find('NetworkPolicy').spec;
    expect(podSelector).toEqual(find('Deployment').spec.selector);
    expect(policyTypes).toContain('Ingress');
    const allowed = ingress.map(({ from, ports }: { from: object[]; ports: object[] }) => [
      from.length,
      ports,
    ]);
    expect(allowed).toEqual([
      [1, [{ port: 'http' }]],
      [1, [{ port: 'metrics' }]],
    ]);
    for (const { from } of ingress) expect(from[0].namespaceSelector.matchLabels).toEqual(expect.any(Object));
  });

  test('serves one host name over HTTPS, without a time limit and without traces of clients', () => {
    const { host, protocol } = new URL(find('ConfigMap').data.KEYTURN_PUBLIC_URL);
    expect(protocol).toBe('https:');
    const { listeners } = find('Gateway').spec;
    expect(listeners.map(({ hostname }: { hostname: string }) => hostname)).toEqual([host, host]);
    for (const [name, listener] of [
      ['keyturn', 'https'],
      ['keyturn-redirect', 'http'],
    ] as const) {
      const { hostnames, parentRefs } = find('HTTPRoute', name).spec;
      expect([hostnames, parentRefs]).toEqual([[host], [{ name: 'keyturn', sectionName: listener }]]);
    }
    const [rule] = find('HTTPRoute').spec.rules;
    expect(rule).toMatchObject({
      filters: [{ requestHeaderModifier: { remove: ['traceparent'] } }],
      timeouts: { request: '0s' },
      backendRefs: [{ name: find('Service').metadata.name, port: find('Service').spec.ports[0].port }],
    });
    const [redirect] = find('HTTPRoute', 'keyturn-redirect').spec.rules;
    expect(redirect.filters[0].requestRedirect.scheme).toBe('https');
  });
});

test('every image of the deployment files has a tag with at least a minor version', () => {
  const images = [
    ...[...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image),
    ...Object.values<{ image: string }>(compose.services).map(({ image }) => image),
    ...kubernetes.flatMap(({ spec }) => spec?.template?.spec.containers ?? []).map(({ image }) => image),
  ].filter((image) => image !== 'keyturn:local');
  expect(images.length).toBeGreaterThan(8);
  expect(images.filter((image) => !/:\d+\.\d+[\w.-]*$/.test(image ?? ''))).toEqual([]);
});

describe('deploy/Dockerfile', () => {
  test('runs as a user without rights, and copies only files that exist', () => {
    expect(lastStage).toMatch(/^USER node$/m);
    expect(imageFiles.length).toBe(lastStage.match(/^COPY /gm)?.length);
    for (const { stage, from } of imageFiles) {
      const isMade = stage === 'packages' || from.endsWith('/dist');
      expect(isMade || existsSync(join(root, from)), from).toBe(true);
    }
  });

  test('checks the health of the server with a command that fails unless the server answers', async () => {
    const [program, ...args] = JSON.parse(/^HEALTHCHECK .*CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? '[]');
    expect(program).toBe('node');
    const run = (port: number, ...more: string[]) =>
      new Promise((done) =>
        execFile(
          process.execPath,
          [...args, ...more],
          { cwd: root, env: { HOST: '0.0.0.0', PORT: String(port) } },
          (error) => done(error?.code ?? 0),
        ),
      );
    let status = 200;
    const paths: unknown[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url);
      response.writeHead(status).end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    expect(await run(port)).toBe(0);
    status = 503;
    expect(await run(port)).toBe(1);
    expect(await run(port, 'readyz')).toBe(1);
    expect(paths).toEqual(['/healthz', '/healthz', '/readyz']);
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    expect(await run(port)).toBe(1);
  });
});

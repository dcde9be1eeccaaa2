/*
 * Who may import whom (docs/architecture.md). Rules speak of folders, so a new feature is guarded at birth.
 * `import-rules/offenders/` has a file that breaks each rule; a test proves that each of them is caught.
 */
const server = '(?:^|/)apps/server/src/';
const dashboard = '(?:^|/)apps/dashboard/src/';
const packages = '(?:^|/)packages/';
const test = '\\.test\\.tsx?$';
const anyNpm = '(?:^|/)node_modules/';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-rings',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-missing-files', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-index-files-but-a-package-entry',
      severity: 'error',
      from: {},
      to: { path: '/index\\.tsx?$', pathNot: [`${packages}[^/]+/src/index\\.ts$`, anyNpm] },
    },
    {
      name: 'contract-stands-on-typebox-alone',
      severity: 'error',
      from: { path: `${packages}contract/src/`, pathNot: test },
      to: { pathNot: [`${packages}contract/src/`, `${anyNpm}typebox/`] },
    },
    {
      name: 'pusher-protocol-stands-on-node-crypto-alone',
      severity: 'error',
      from: { path: `${packages}pusher-protocol/src/`, pathNot: test },
      to: { pathNot: [`${packages}pusher-protocol/src/`, '^(?:node:)?crypto$'] },
    },
    {
      name: 'states-are-pure',
      severity: 'error',
      from: { path: `${server}features/([^/]+)/.*-states\\.ts$` },
      to: { pathNot: [`${packages}contract/`, `${server}features/$1/.*-states\\.ts$`] },
    },
    {
      name: 'features-meet-only-in-compose',
      severity: 'error',
      from: { path: `${server}features/([^/]+)/`, pathNot: test },
      to: { path: `${server}features/`, pathNot: `${server}features/$1/` },
    },
    {
      name: 'features-know-no-adapter',
      severity: 'error',
      from: { path: `${server}features/`, pathNot: test },
      to: { path: `${server}adapters/` },
    },
    {
      name: 'only-routes-know-http',
      severity: 'error',
      from: { path: `${server}features/`, pathNot: [test, '/routes?\\.ts$', '-routes?\\.ts$'] },
      to: { path: [`${server}http/`, `${anyNpm}@?fastify`] },
    },
    {
      name: 'adapters-know-ports-and-platform',
      severity: 'error',
      from: { path: `${server}adapters/([^/]+)/`, pathNot: test },
      to: {
        path: server,
        pathNot: [`${server}adapters/$1/`, `${server}platform/`, `${server}features/[^/]+/ports\\.ts$`],
      },
    },
    {
      name: 'http-knows-no-feature',
      severity: 'error',
      from: { path: `${server}http/`, pathNot: test },
      to: { path: server, pathNot: [`${server}http/`, `${server}platform/`] },
    },
    {
      name: 'platform-knows-nobody',
      severity: 'error',
      from: { path: `${server}platform/`, pathNot: test },
      to: { path: server, pathNot: `${server}platform/` },
    },
    {
      name: 'the-browser-never-imports-the-server',
      severity: 'error',
      from: { path: `(?:^|/)apps/dashboard/` },
      to: { path: [`(?:^|/)apps/server/`, '^node:'] },
    },
    {
      name: 'dashboard-features-do-not-meet',
      severity: 'error',
      from: { path: `${dashboard}features/([^/]+)/`, pathNot: test },
      to: { path: [`${dashboard}features/`, `${dashboard}app/`], pathNot: `${dashboard}features/$1/` },
    },
    {
      name: 'ui-knows-no-business',
      severity: 'error',
      from: { path: `${dashboard}ui/`, pathNot: test },
      to: { path: [`${dashboard}(?:api|app|features)/`, packages] },
    },
    {
      name: 'api-knows-the-contract-alone',
      severity: 'error',
      from: { path: `${dashboard}api/`, pathNot: test },
      to: { path: [`${dashboard}(?:app|features|realtime|telemetry|ui)/`] },
    },
    {
      name: 'delivery-knows-the-api-alone',
      severity: 'error',
      from: { path: `${dashboard}delivery/`, pathNot: test },
      to: { path: [`${dashboard}(?:app|features|ui)/`] },
    },
    {
      name: 'testkit-is-for-tests',
      severity: 'error',
      from: {
        path: ['(?:^|/)apps/', `${packages}(?:contract|pusher-protocol)/`],
        pathNot: [test, '/src/testing/'],
      },
      to: { path: [`${packages}testkit/`, '/src/testing/'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsConfig: { fileName: 'tsconfig.base.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
};

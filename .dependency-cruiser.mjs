/*
 * The import rules of docs/architecture.md. They name folders, not files, so they cover a new feature from its first
 * file. `rules/imports/violations/` breaks each rule once, and a test checks that each violation is reported.
 */
const server = '(?:^|/)apps/server/src/';
const dashboard = '(?:^|/)apps/dashboard/src/';
const desk = '(?:^|/)apps/desk/src/';
const packages = '(?:^|/)packages/';
const test = '\\.test\\.tsx?$';
const anyNpm = '(?:^|/)node_modules/';

/** The subjects of the server, each with those that it may import. Doors may import all of them. */
const subjects = {
  firm: [],
  people: ['firm'],
  'case-file': ['people', 'firm'],
  payments: ['case-file', 'people', 'firm'],
  live: [],
  records: ['payments', 'case-file', 'people', 'firm', 'live'],
};

/**
 * The parts of payments in layers: a part may import those of the lines above its own. A part is a folder, or a file
 * next to the folders.
 */
const paymentLayers = [
  ['ports'],
  ['records'],
  ['attempts', 'bills', 'provider', 'rules'],
  ['accounts', 'continuity', 'receipts'],
  ['allocation', 'mails', 'payment-dependencies'],
  ['order-requests'],
  ['intents'],
  ['checkout', 'disputes', 'refunds', 'reviews'],
  ['links', 'recovery', 'webhooks'],
  ['reconciliation'],
  ['desk'],
];
const paymentPart = (/** @type {string} */ part) => `${server}payments/${part}(?:/|\\.ts$)`;

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circular-imports',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    { name: 'no-unresolved-imports', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-index-files-except-package-entries',
      severity: 'error',
      from: {},
      to: { path: '/index\\.tsx?$', pathNot: [`${packages}[^/]+/src/index\\.ts$`, anyNpm] },
    },
    {
      name: 'contract-imports-only-typebox',
      severity: 'error',
      from: { path: `${packages}contract/src/`, pathNot: test },
      to: { pathNot: [`${packages}contract/src/`, `${anyNpm}typebox/`] },
    },
    {
      name: 'pusher-protocol-imports-only-node-crypto',
      severity: 'error',
      from: { path: `${packages}pusher-protocol/src/`, pathNot: test },
      to: { pathNot: [`${packages}pusher-protocol/src/`, '^(?:node:)?crypto$'] },
    },
    {
      name: 'format-imports-nothing',
      severity: 'error',
      from: { path: `${packages}format/src/`, pathNot: test },
      to: { pathNot: `${packages}format/src/` },
    },
    {
      name: 'pdf-imports-no-other-workspace',
      severity: 'error',
      from: { path: `${packages}pdf/src/` },
      to: { path: ['(?:^|/)apps/', packages], pathNot: [`${packages}pdf/src/`, anyNpm] },
    },
    {
      name: 'state-files-are-pure',
      severity: 'error',
      from: { path: `${server}([^/]+)/.*-states\\.ts$` },
      to: {
        pathNot: [`${packages}contract/`, `${server}$1/.*(?:-states|/ports)\\.ts$`, `${server}$1/ports/`],
      },
    },
    ...Object.entries(subjects).map(([subject, others]) => ({
      name: `${subject}-imports-only-${others.length > 0 ? others.join('-and-') : 'itself'}`,
      severity: /** @type {const} */ ('error'),
      from: { path: `${server}${subject}/`, pathNot: test },
      to: {
        path: `${server}(?:doors|${Object.keys(subjects).join('|')})/`,
        pathNot: `${server}(?:${[subject, ...others].join('|')})/`,
      },
    })),
    ...paymentLayers.flatMap((layer, index) =>
      layer.map((part) => ({
        name: 'parts-of-payments-import-only-earlier-layers',
        severity: /** @type {const} */ ('error'),
        from: { path: paymentPart(part), pathNot: test },
        to: {
          path: `${server}payments/`,
          pathNot: [part, ...paymentLayers.slice(0, index).flat()].map(paymentPart),
        },
      })),
    ),
    {
      name: 'parts-of-payments-have-a-layer',
      severity: 'error',
      from: { path: `${server}payments/`, pathNot: [test, ...paymentLayers.flat().map(paymentPart)] },
      to: {},
    },
    {
      name: 'only-doors-import-http',
      severity: 'error',
      from: { path: `${server}(?:${Object.keys(subjects).join('|')})/`, pathNot: test },
      to: { path: [`${server}http/`, `${anyNpm}@?fastify`] },
    },
    {
      name: 'only-composition-imports-adapters-and-settings',
      severity: 'error',
      from: { path: `${server}(?:doors|${Object.keys(subjects).join('|')})/`, pathNot: test },
      to: { path: `${server}(?:adapters|composition|settings)/` },
    },
    {
      name: 'adapters-import-only-ports-platform-and-schema',
      severity: 'error',
      from: { path: `${server}adapters/([^/]+)/`, pathNot: test },
      to: {
        path: server,
        pathNot: [
          `${server}adapters/$1/`,
          `${server}(?:platform|schema)/`,
          `${server}.+/ports\\.ts$`,
          `${server}payments/ports/`,
        ],
      },
    },
    {
      name: 'http-imports-only-platform',
      severity: 'error',
      from: { path: `${server}http/`, pathNot: test },
      to: { path: server, pathNot: [`${server}http/`, `${server}platform/`] },
    },
    {
      name: 'settings-import-only-contract-and-platform',
      severity: 'error',
      from: { path: `${server}settings/`, pathNot: test },
      to: { path: server, pathNot: [`${server}settings/`, `${server}platform/`] },
    },
    {
      name: 'platform-imports-only-schema',
      severity: 'error',
      from: { path: `${server}(?:platform|schema)/`, pathNot: test },
      to: { path: server, pathNot: `${server}(?:platform|schema)/` },
    },
    {
      name: 'dashboard-imports-no-server-code',
      severity: 'error',
      from: { path: `(?:^|/)apps/dashboard/` },
      to: { path: [`(?:^|/)apps/server/`, '^node:'] },
    },
    {
      name: 'dashboard-imports-no-staff-contract',
      severity: 'error',
      from: { path: `(?:^|/)apps/dashboard/` },
      to: { path: `${packages}contract/src/(staff|feed-api)/` },
    },
    {
      name: 'only-the-desk-imports-the-desk',
      severity: 'error',
      from: { pathNot: `(?:^|/)apps/desk/` },
      to: { path: `(?:^|/)apps/desk/` },
    },
    {
      name: 'desk-imports-no-server-code',
      severity: 'error',
      from: { path: `(?:^|/)apps/desk/` },
      to: { path: [`(?:^|/)apps/server/`, '^node:'], pathNot: '^node:url$' },
    },
    {
      name: 'only-the-preview-of-the-desk-imports-the-dashboard',
      severity: 'error',
      from: { path: desk, pathNot: `${desk}features/case/preview/` },
      to: { path: `(?:^|/)apps/dashboard/` },
    },
    {
      name: 'desk-features-are-independent',
      severity: 'error',
      from: { path: `${desk}features/([^/]+)/`, pathNot: test },
      to: { path: `${desk}(?:app|features|realtime)/`, pathNot: `${desk}features/$1/` },
    },
    {
      name: 'desk-ui-imports-no-features',
      severity: 'error',
      from: { path: `${desk}(?:ui|api|realtime)/`, pathNot: test },
      to: { path: `${desk}(?:app|features)/` },
    },
    {
      name: 'clients-contract-imports-no-staff-contract',
      severity: 'error',
      from: {
        path: `${packages}contract/src/`,
        pathNot: [test, `${packages}contract/src/(staff|feed-api)/`],
      },
      to: { path: `${packages}contract/src/(staff|feed-api)/` },
    },
    {
      name: 'dashboard-features-are-independent',
      severity: 'error',
      from: { path: `${dashboard}features/([^/]+)/`, pathNot: test },
      to: {
        path: `${dashboard}(?:app|delivery|features|realtime|telemetry)/`,
        pathNot: `${dashboard}features/$1/`,
      },
    },
    {
      name: 'ui-imports-only-browser-and-format',
      severity: 'error',
      from: { path: `${packages}ui/src/`, pathNot: test },
      to: { path: ['(?:^|/)apps/', packages], pathNot: [`${packages}(?:ui|browser|format)/`, anyNpm] },
    },
    {
      name: 'browser-imports-only-the-contract',
      severity: 'error',
      from: { path: `${packages}browser/src/`, pathNot: test },
      to: { path: ['(?:^|/)apps/', packages], pathNot: [`${packages}(?:browser/src|contract)/`, anyNpm] },
    },
    {
      name: 'dashboard-ui-imports-no-business-code',
      severity: 'error',
      from: { path: `${dashboard}ui/`, pathNot: test },
      to: { path: [dashboard, packages], pathNot: [`${dashboard}ui/`, `${packages}(?:format|ui)/`] },
    },
    {
      name: 'api-imports-only-the-contract',
      severity: 'error',
      from: { path: `${dashboard}api/`, pathNot: test },
      to: { path: dashboard, pathNot: `${dashboard}api/` },
    },
    {
      name: 'realtime-imports-only-the-api',
      severity: 'error',
      from: { path: `${dashboard}realtime/`, pathNot: test },
      to: { path: dashboard, pathNot: `${dashboard}(?:realtime|api)/` },
    },
    {
      name: 'delivery-imports-only-the-api-and-navigation',
      severity: 'error',
      from: { path: `${dashboard}delivery/`, pathNot: test },
      to: { path: dashboard, pathNot: `${dashboard}(?:delivery|api|navigation)/` },
    },
    {
      name: 'telemetry-imports-only-the-api-and-navigation',
      severity: 'error',
      from: { path: `${dashboard}telemetry/`, pathNot: test },
      to: { path: dashboard, pathNot: `${dashboard}(?:telemetry|api|navigation)/` },
    },
    {
      name: 'navigation-imports-only-the-contract',
      severity: 'error',
      from: { path: `${dashboard}navigation/`, pathNot: test },
      to: { path: dashboard, pathNot: `${dashboard}navigation/` },
    },
    {
      name: 'only-tests-import-testkit',
      severity: 'error',
      from: {
        path: ['(?:^|/)apps/', `${packages}(?:browser|contract|format|pdf|pusher-protocol|ui)/`],
        pathNot: [test, '/src/testing/'],
      },
      to: { path: [`${packages}testkit/`, '/src/testing/'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|\\.dev-\\d+)/' },
    tsConfig: { fileName: 'tsconfig.base.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
};

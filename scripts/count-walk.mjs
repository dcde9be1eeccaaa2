// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';
import { root } from './set-up.mjs';

/*
 * Counts the files that a reader opens to follow one job through the code, from the press of a button to the screen
 * that changes: `node scripts/count-walk.mjs [WALK…]`; by default every walk.
 *
 * A walk starts at the functions listed below, and follows every function, constant and component that their code
 * names, function by function: a file counts if one of its functions can run, and imports alone do not count. Calls
 * through a dependency (a port, a callback) end at its type, and continue at the next start. Types never count. In a table
 * with an entry for each kind of record, the walk follows only the entry of the record that the job changes. It leaves out
 * the functions of `notTaken`, which run only in other cases: a conflict, a refusal, a dispute, a refund, or what the desk
 * sees of a client’s press.
 *
 * `platform`, `schema`, `packages` and `ui` are printed apart, because a reader knows them after the first walk.
 */

const server = 'apps/server/src';
const dashboard = 'apps/dashboard/src';
const delivery = [
  `${server}/live/channels/deliver-events.ts#createEventDelivery`,
  `${dashboard}/realtime/event-handler.ts#createEventHandler`,
];

/**
 * The starts of each walk: a file, and the name of a function or the call that a handler answers; the kind of record that
 * it stores; and the functions of other turns.
 * @typedef {{ starts: string[], kind?: string, notTaken?: string[] }} Walk
 * @type {Record<string, Walk>}
 */
const walks = {
  'A member marks a milestone; the joint client’s page shows it': {
    kind: 'matters',
    notTaken: [
      'findLastChange',
      'reasonOfRefusal',
      'findFileOfRecord',
      'toggleNewest',
      'createDeskAnnouncer',
    ],
    starts: [
      'apps/desk/src/features/case/milestones/use-toggle-reached.ts#useToggleReached',
      `${server}/doors/staff/case-routes.ts#PUT /staff/milestones/{id}`,
      ...delivery,
      `${server}/doors/client/milestone-routes.ts#GET /milestones`,
    ],
  },
  'A client presses Pay; the joint owner’s screen shows it': {
    notTaken: [
      ...[
        'recordDisputes',
        'reportErased',
        'syncFraudSubject',
        'storeDecline',
        'planRefunds',
        'alertsOnRefund',
      ],
      ...[
        'storeRefundSteps',
        'findRefunds',
        'cancelAtProvider',
        'cancelOutdated',
        'checkIsCancelled',
        'cancelWithoutIntent',
      ],
      ...[
        'sumOtherPaymentsOfDay',
        'lockOtherPaymentsOfCase',
        'mailOnRefund',
        'historyOfRefund',
        'findProviderRefunds',
        'isWithoutIntent',
        'isAtOurAccount',
        'createDeskAnnouncer',
      ],
    ],
    starts: [
      `${dashboard}/features/payments/payment-screen/payment-controller.ts#createPaymentController`,
      `${dashboard}/features/payments/payment-screen/payment-server.ts#createPaymentServer`,
      `${server}/doors/client/payment-routes.ts#POST /payments/{id}/confirm`,
      `${server}/payments/webhooks/handle-webhook-event.ts#handleWebhookEvent`,
      ...delivery,
      `${server}/doors/client/payment-routes.ts#GET /payments/{id}`,
    ],
  },
  'The firm’s system sends one search by HTTP': {
    kind: 'searches',
    notTaken: ['reasonOfRefusal'],
    starts: [`${server}/doors/feed/send-records.ts#sendRecord`],
  },
};

const apart = /^packages\/|\/(?:platform|schema|ui)\//;

const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile);
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);

const chosen = process.argv.slice(2);
const names = Object.keys(walks).filter(
  (name) => chosen.length === 0 || chosen.some((part) => name.includes(part)),
);
const program = ts.createProgram(
  [
    ...new Set(
      Object.values(walks)
        .flatMap(({ starts }) => starts)
        .map((start) => join(root, start.split('#')[0] ?? '')),
    ),
  ].filter(existsSync),
  { ...options, types: ['node'], jsx: ts.JsxEmit.ReactJSX, lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'] },
);
const checker = program.getTypeChecker();

for (const name of names) print(name, follow(walks[name] ?? { starts: [] }));

/**
 * Follows the code from its starts.
 * @param {Walk} walk
 * @returns the files whose functions can run, relative to the repository
 */
function follow({ starts, kind, notTaken = [] }) {
  const queue = starts.map(findStart);
  const visited = new Set(queue);
  for (const node of queue) {
    for (const declaration of namedIn(node, kind)) {
      if (visited.has(declaration) || notTaken.includes(nameOf(declaration))) continue;
      visited.add(declaration);
      queue.push(declaration);
    }
  }
  const files = [...visited].map((node) =>
    relative(root, node.getSourceFile().fileName).split(sep).join('/'),
  );
  return [...new Set(files)].sort();
}

/** @param {ts.Node} declaration */
function nameOf(declaration) {
  return /** @type {{ name?: ts.Node }} */ (declaration).name?.getText() ?? '';
}

/** @param {string} start */
function findStart(start) {
  const [file = '', name = ''] = start.split('#');
  const source = program.getSourceFile(join(root, file));
  /** @type {ts.Node | undefined} */
  let found;
  const look = (/** @type {ts.Node} */ node) => {
    const own = /** @type {{ name?: ts.Node }} */ (node).name;
    if (own && (ts.isIdentifier(own) || ts.isStringLiteral(own)) && own.text === name && isCode(node))
      found ??= node;
    ts.forEachChild(node, look);
  };
  if (source) look(source);
  if (!found) throw new Error(`${start} does not exist: correct the starts in scripts/count-walk.mjs`);
  return found;
}

/**
 * @param {ts.Node} node
 * @param {string | undefined} kind
 * @returns the declarations of this repository that the code of a node names
 */
function namedIn(node, kind) {
  /** @type {ts.Node[]} */
  const found = [];
  const look = (/** @type {ts.Node} */ child) => {
    if (ts.isTypeNode(child) || ts.isInterfaceDeclaration(child) || ts.isTypeAliasDeclaration(child)) return;
    if (kind !== undefined && isOfOtherKind(child, kind)) return;
    if (ts.isIdentifier(child)) {
      let symbol = ts.isShorthandPropertyAssignment(child.parent)
        ? checker.getShorthandAssignmentValueSymbol(child.parent)
        : checker.getSymbolAtLocation(child);
      if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
      found.push(...(symbol?.declarations ?? []).filter(isCode));
    }
    ts.forEachChild(child, look);
  };
  look(node);
  return found;
}

/**
 * Whether a node is an entry, for another kind, of a table with an entry for each kind of record.
 * @param {ts.Node} node
 * @param {string} kind
 */
function isOfOtherKind(node, kind) {
  if (!ts.isPropertyAssignment(node) || !ts.isObjectLiteralExpression(node.parent)) return false;
  const entries = node.parent.properties.map(({ name }) => name?.getText());
  return (
    ['clients', 'matters', 'bills', 'history', kind].every((each) => entries.includes(each)) &&
    node.name.getText() !== kind
  );
}

/** @param {ts.Node} node Whether a declaration is code of this repository. */
function isCode(node) {
  const { fileName, isDeclarationFile } = node.getSourceFile();
  return (
    !isDeclarationFile &&
    !fileName.includes('node_modules') &&
    (ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isPropertyAssignment(node) ||
      (ts.isVariableDeclaration(node) && node.initializer !== undefined))
  );
}

/** @param {string} name @param {readonly string[]} files */
function print(name, files) {
  const own = files.filter((file) => !apart.test(file));
  const lines = (/** @type {readonly string[]} */ of) =>
    of.reduce((sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length, 0);
  console.log(`\n${name}: ${own.length} files, ${lines(own)} lines`);
  for (const [folder, inside] of byFolder(own)) {
    console.log(
      `  ${String(inside.length).padStart(3)} ${folder}: ${inside.map((file) => file.slice(folder.length + 1)).join(', ')}`,
    );
  }
  console.log(`  and ${files.length - own.length} files of platform, schema, packages and ui`);
}

/** @param {readonly string[]} files */
function byFolder(files) {
  /** @type {Map<string, string[]>} */
  const folders = new Map();
  for (const file of files) folders.set(dirname(file), [...(folders.get(dirname(file)) ?? []), file]);
  return folders;
}

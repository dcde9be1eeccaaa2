import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import type { StripeDescription } from './description.ts';
import { createReader, objects, shortName } from './read-schemas.ts';

/** The parameters of the calls that the simulator answers. */
const parameters = [
  'BalanceRetrieveParams',
  'BalanceTransactionListParams',
  'BalanceTransactionRetrieveParams',
  'ChargeListParams',
  'ChargeRetrieveParams',
  'DisputeCloseParams',
  'DisputeListParams',
  'DisputeRetrieveParams',
  'DisputeUpdateParams',
  'EventListParams',
  'EventRetrieveParams',
  'PaymentIntentCancelParams',
  'PaymentIntentConfirmParams',
  'PaymentIntentCreateParams',
  'PaymentIntentListParams',
  'PaymentIntentRetrieveParams',
  'PaymentIntentUpdateParams',
  'PayoutListParams',
  'PayoutRetrieveParams',
  'Radar.EarlyFraudWarningListParams',
  'Radar.EarlyFraudWarningRetrieveParams',
  'RefundCancelParams',
  'RefundCreateParams',
  'RefundListParams',
  'RefundRetrieveParams',
  'ReviewListParams',
  'ReviewRetrieveParams',
  'AccountRetrieveCurrentParams',
];

/** Types whose name in the description differs from their name in the SDK. */
const others = { Event: 'Stripe.EventBase', ApiError: 'Stripe.PaymentIntent.LastPaymentError' };

/** Reads the description of Stripe's API from the types of its SDK. It takes a few seconds. */
export function readSdkTypes(): StripeDescription {
  const folder = dirname(dirname(createRequire(import.meta.url).resolve('stripe')));
  const roots = [
    ...[...objects, ...parameters].map((name) => [shortName(name), `Stripe.${name}`]),
    ...Object.entries(others),
  ];
  const source = `import type Stripe from 'stripe';\nexport interface Roots {\n${roots
    .map(([name, type]) => `  ${name}: ${type};`)
    .join('\n')}\n}\n`;
  const { checker, file } = parse(folder, source);
  const reader = createReader(checker);
  const [root] = file.statements.filter(ts.isInterfaceDeclaration);
  for (const member of root?.members ?? []) {
    reader.add(member.name?.getText(file) ?? '', checker.getTypeAtLocation(member));
  }
  const [, apiVersion = ''] =
    /ApiVersion = ["']([^"']+)["']/.exec(readFileSync(join(folder, 'esm/apiVersion.d.ts'), 'utf8')) ?? [];
  return { apiVersion, types: reader.types };
}

function parse(folder: string, source: string) {
  const path = join(folder, 'description-roots.ts');
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    skipLibCheck: true,
    types: [],
    noLib: false,
    lib: ['lib.es2022.d.ts'],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile, readFile } = host;
  host.fileExists = (name) => name === path || fileExists(name);
  host.readFile = (name) => (name === path ? source : readFile(name));
  host.getSourceFile = (name, ...rest) =>
    name === path ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest);
  const program = ts.createProgram([path], options, host);
  const file = program.getSourceFile(path);
  if (!file) throw new Error('the roots were not parsed');
  return { checker: program.getTypeChecker(), file };
}

import { join } from 'node:path';
import { type Plugin, type Rolldown, runnerImport } from 'vite';
import { type CheckBuilder, convertSchema, type JsonSchema } from '../src/checks/convert-schema.ts';

export interface CompileChecksOptions {
  /** The folder of the modules, relative to the app. */
  folder: string;
  /** The modules to compile. A check that an earlier one exports is imported from there. */
  modules: readonly string[];
}

/**
 * Compiles the checks of the contract's schemas. A module that calls `checkOf` is run in Node, and the
 * browser gets calls of the functions in `check.ts` instead: no schema and no TypeBox.
 */
export function compileChecks(options: CompileChecksOptions): Plugin {
  const { modules } = options;
  let folder = '';
  return {
    name: 'compile-checks',
    configResolved({ root }) {
      folder = join(root, options.folder);
    },
    async load(id) {
      const name = modules.find((module) => id === join(folder, `${module}.ts`));
      if (!name) return null;
      const imports = new Map<string, Import>();
      for (const from of modules.slice(0, modules.indexOf(name))) {
        const { exports } = await run(from);
        for (const [check, code] of Object.entries(exports)) imports.set(code, { check, from });
      }
      const { exports, dependencies } = await run(name);
      // For the development server: a change of the contract compiles the module again.
      for (const file of dependencies) this.addWatchFile(file);
      return printModule(exports, imports);
    },
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk' && containsTypeBox(chunk))
          throw new Error(
            `${chunk.fileName} contains TypeBox: is every module that calls checkOf compiled by compileChecks?`,
          );
      }
    },
  };

  /** The exports of a module as source code. */
  async function run(name: string) {
    const file = join(folder, `${name}.ts`);
    const { module, dependencies } = await runnerImport<object>(file, {
      configFile: false,
      logLevel: 'error',
    });
    const exports = Object.entries(module).map(([key, value]) => [key, print(value)]);
    return { exports: Object.fromEntries(exports) as Record<string, string>, dependencies };
  }
}

const containsTypeBox = ({ modules }: Rolldown.OutputChunk): boolean =>
  Object.entries(modules).some(
    ([id, { renderedLength }]) => renderedLength > 0 && id.includes('/node_modules/typebox/'),
  );

interface Import {
  check: string;
  from: string;
}

/** The module with each repeated part written once. */
function printModule(exports: Record<string, string>, imports: Map<string, Import>): string {
  const codes = new Map(Object.entries(exports));
  const parts: [name: string, code: string][] = [];
  const used: Import[] = [];
  const replace = (code: string, name: string) => {
    for (const [key, text] of codes) codes.set(key, text.replaceAll(code, name));
    for (const part of parts) part[1] = part[1].replaceAll(code, name);
  };
  const count = (code: string) =>
    [...codes.values(), ...parts.map(([, text]) => text)].join().split(code).length - 1;
  // The longest first, so that a long part is found before its pieces are replaced.
  const candidates = new Set([...imports.keys(), ...[...codes.values()].flatMap(partsOf)]);
  for (const code of [...candidates].sort((a, b) => b.length - a.length)) {
    const imported = imports.get(code);
    if (count(code) < (imported ? 1 : 2)) continue;
    if (imported) used.push(imported);
    const name = imported?.check ?? `check${parts.length}`;
    replace(code, name);
    if (!imported) parts.push([name, code]);
  }
  return [
    `import { ${Object.keys(printer).join(', ')} } from '@keyturn/browser/checks/check.ts';`,
    ...used.map(({ check, from }) => `import { ${check} } from './${from}.ts';`),
    ...parts.reverse().map(([name, code]) => `const ${name} = ${code};`),
    ...[...codes].map(([name, code]) => `export const ${name} = ${code};`),
  ].join('\n');
}

/** Finds the calls in a piece of printed code that are worth a constant. */
function partsOf(code: string): string[] {
  return [...code.matchAll(/isObjectOf\(|isObjectWith\(|isOneOf\(|isAnyOf\(/g)].map(({ index }) => {
    let depth = 0;
    for (let end = index; ; end += 1) {
      if (code[end] === '(') depth += 1;
      if (code[end] === ')' && --depth === 0) return code.slice(index, end + 1);
    }
  });
}

/** @returns an expression */
function print(value: unknown): string {
  if (typeof value === 'function') {
    if (!('schema' in value)) throw new Error('a module of checks can export only checks and data');
    return convertSchema(value.schema as JsonSchema, printer);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  return printObject(Object.entries(value).map(([key, member]) => [key, print(member)]));
}

const printObject = (members: [key: string, code: string][]) =>
  `{${members.map(([key, code]) => `${JSON.stringify(key)}: ${code}`).join(', ')}}`;

const printer: CheckBuilder<string> = {
  isString: 'isString',
  isBoolean: 'isBoolean',
  isNumber: 'isNumber',
  isInteger: 'isInteger',
  isInstant: 'isInstant',
  isDay: 'isDay',
  isAnything: 'isAnything',
  isOneOf: (values) => `isOneOf(${JSON.stringify(values)})`,
  isNullOr: (inner) => `isNullOr(${inner})`,
  isAnyOf: (options) => `isAnyOf([${options.join(', ')}])`,
  isArrayOf: (inner) => `isArrayOf(${inner})`,
  isRecordOf: (inner) => `isRecordOf(${inner})`,
  isObjectOf: (fields) => `isObjectOf(${printObject(Object.entries(fields))})`,
  isObjectWith: (fields, optional) =>
    `isObjectWith(${printObject(Object.entries(fields))}, ${printObject(Object.entries(optional))})`,
};

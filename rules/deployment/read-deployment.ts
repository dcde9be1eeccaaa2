import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parseAllDocuments } from 'yaml';

export const root = join(import.meta.dirname, '../..');
/** Reads a file of `deploy/`. */
export const read = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8');

/** Parses the documents of a YAML file of `deploy/`. @throws on errors and warnings */
export function parse(path: string) {
  return parseAllDocuments(read(path), { merge: true }).map((document) => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem) throw new Error(`deploy/${path}: ${problem.message}`);
    return document.toJS();
  });
}

export const dockerfile = read('Dockerfile');
export const [compose] = parse('compose.yaml');

/** The instructions of the image’s last stage. */
export const lastStage = dockerfile.split(/^FROM /m).at(-1) ?? '';

/** The variables that the image sets. */
export const imageSettings = Object.fromEntries(
  [...(/^ENV ([\s\S]+?[^\\])$/m.exec(dockerfile)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(
    ([, name, value]) => [name, value],
  ),
) as Record<string, string>;

/** The files and folders that the image contains, each with where it comes from: an earlier stage, or the project. */
export const imageFiles = [...lastStage.matchAll(/^COPY (?:--from=(\w+) )?(\S+) (\S+)$/gm)].map(
  ([, stage = null, from = '', to = '']) => ({ stage, from: from.replace(/^\/app\//, ''), to }),
);

/** Values for the variables that the examples leave to the operator. */
const examples = {
  KEYTURN_STAFF_KEY: 'k'.repeat(40),
  KEYTURN_STRIPE_SECRET_KEY: 'rk_live_1',
  KEYTURN_STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  KEYTURN_STRIPE_WEBHOOK_SECRETS: 'whsec_1',
};
/** Variables that may stay empty. */
const optional = ['KEYTURN_REALTIME_REDIS_URL'];
/** Fills in the variables of an example that the operator has to. */
export const fillIn = (variables: NodeJS.Dict<string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      value || examples[name as keyof typeof examples] || (optional.includes(name) ? '' : 'example-1'),
    ]),
  );

/** The variables of `keyturn.env.example`, filled in. */
export const composeVariables = fillIn(parseEnv(read('keyturn.env.example')));

/** Replaces the variables of a Compose file. @throws if the example of its environment file lacks one */
export const interpolate = (text: string, variables: Record<string, string> = composeVariables) =>
  text.replaceAll(/\$\{(\w+)(?::[?-])?\}/g, (_reference, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`deploy/keyturn.env.example lacks ${name}`);
    return value;
  });

/** Returns the variables of a service of `compose.yaml`, with those of the image. */
export function composeSettings(
  service: string,
  variables: Record<string, string> = composeVariables,
): Record<string, string> {
  const entries = Object.entries(compose.services[service].environment as Record<string, string>);
  return {
    ...imageSettings,
    ...Object.fromEntries(entries.map(([name, value]) => [name, interpolate(value, variables)])),
  };
}

/**
 * Returns the statements of `postgres/create-roles.sh`, with its variables replaced as psql does.
 * @param passwords by the name of the environment variable
 */
export function statementsOfRoles(passwords: Record<string, string>): string[] {
  const script = read('postgres/create-roles.sh');
  const [, sql = ''] = /<<'SQL'\n([\s\S]+?)^SQL$/m.exec(script) ?? [];
  const names = [...script.matchAll(/(\w+)="\$(\w+)"/g)].map(([, name, variable]) => [name, variable]);
  const variables = Object.fromEntries(names);
  return sql
    .replaceAll(/:'(\w+)'/g, (_reference, name: string) => {
      const value = passwords[variables[name]];
      if (value === undefined) throw new Error(`create-roles.sh does not set ${name}`);
      return `'${value.replaceAll("'", "''")}'`;
    })
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean);
}

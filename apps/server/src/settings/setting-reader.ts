import { resolve } from 'node:path';
import { readSecretFile } from './secret-file.ts';

export const environments = ['development', 'local', 'staging', 'production', 'test'] as const;

export type Environment = (typeof environments)[number];

interface TextRule {
  expected: string;
  pattern: RegExp;
}

/** Reads single settings from the environment, checks them, and collects every problem instead of stopping at one. */
export interface SettingReader {
  /** Returns a setting without surrounding spaces; null if it is missing or empty. */
  optional(name: string): string | null;
  /** Whether a setting is present without a value. */
  isEmpty(name: string): boolean;
  /** Returns a text that must match `pattern`. */
  text(name: string, fallback: string, rule?: TextRule): string;
  /** Like `text`, for a setting without a fallback: null if it is missing or empty. */
  optionalText(name: string, rule: TextRule): string | null;
  /**
   * Returns a secret from the setting, or from the file that the setting `<name>_FILE` names; null if both are missing or
   * empty. Problems never repeat the secret.
   */
  secret(name: string, rule?: TextRule): string | null;
  /** Returns the secrets of a comma-separated list, from the setting or its file. */
  secretList(name: string): string[];
  wholeNumber(name: string, fallback: number, range: { min: number; max: number }): number;
  /** Returns a rate from 0 to 1; 0 if it is not set. */
  rate(name: string): number;
  choice<const Choices extends readonly string[]>(
    name: string,
    choices: Choices,
    fallback: Choices[number],
  ): Choices[number];
  isOn(name: string, fallback: 'on' | 'off'): boolean;
  /** Returns the values of a comma-separated list. */
  list(name: string): string[];
  /** Returns the origins of a comma-separated list, such as `https://clients.example.com`. */
  origins(name: string): string[];
  /** Adds a problem, for example with settings that contradict each other. */
  report(problem: string): void;
  /** Adds a warning about settings that do not keep the server from starting. */
  warn(warning: string): void;
  warnings(): string[];
  /** Returns all problems so far, and one for each `KEYTURN_` setting that nothing has read. */
  problems(): string[];
}

/** @param projectDirectory the base of relative paths of files with secrets */
export function createSettingReader(env: NodeJS.ProcessEnv, projectDirectory: string): SettingReader {
  const problems: string[] = [];
  const warnings: string[] = [];
  const known = new Set<string>();
  const report = (problem: string) => void problems.push(problem);
  const optional = (name: string) => {
    known.add(name);
    return env[name]?.trim() || null;
  };
  const list = (name: string) => split(optional(name));
  const secret = (name: string) => readSecret(name, { optional, report }, projectDirectory);
  const checked = (name: string, value: string, isValid: boolean, expected: string) => {
    if (!isValid) report(`${name} must be ${expected}, not "${shorten(value)}"`);
    return value;
  };
  const choice: SettingReader['choice'] = (name, choices, fallback) => {
    const value = optional(name) ?? fallback;
    return checked(name, value, choices.includes(value), `one of ${choices.join(', ')}`);
  };

  return {
    optional,
    isEmpty: (name) => env[name]?.trim() === '',
    list,
    choice,
    report,
    text: (name, fallback, rule) => {
      const value = optional(name) ?? fallback;
      return rule ? checked(name, value, rule.pattern.test(value), rule.expected) : value;
    },
    optionalText: (name, { expected, pattern }) => {
      const value = optional(name);
      return value && checked(name, value, pattern.test(value), expected);
    },
    secret: (name, rule) => {
      const value = secret(name);
      if (value !== null && rule?.pattern.test(value) === false) report(`${name} must be ${rule.expected}`);
      return value;
    },
    secretList: (name) => split(secret(name)),
    wholeNumber: (name, fallback, { min, max }) => {
      const value = optional(name) ?? String(fallback);
      const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
      checked(name, value, number >= min && number <= max, `a whole number from ${min} to ${max}`);
      return number;
    },
    rate: (name) => {
      const value = optional(name) ?? '0';
      const isValid = /^(0|1|[01]?\.\d{1,6})$/.test(value) && Number(value) <= 1;
      return Number(checked(name, value, isValid, 'a number from 0 to 1'));
    },
    isOn: (name, fallback) => choice(name, ['on', 'off'], fallback) === 'on',
    origins: (name) => {
      const origins = list(name);
      if (!origins.every((origin) => /^https?:\/\/[\w.-]+(:\d+)?$/.test(origin))) {
        report(`${name} must be origins like https://clients.example.com, separated by commas`);
      }
      return origins;
    },
    warn: (warning) => void warnings.push(warning),
    warnings: () => warnings,
    problems: () => [...problems, ...findUnknownSettings(env, known)],
  };
}

function readSecret(
  name: string,
  { optional, report }: Pick<SettingReader, 'optional' | 'report'>,
  projectDirectory: string,
): string | null {
  const value = optional(name);
  const path = optional(`${name}_FILE`);
  if (path === null) return value;
  if (value !== null) {
    report(`${name} and ${name}_FILE must not both be set`);
    return value;
  }
  const file = resolve(projectDirectory, path);
  const read = readSecretFile(file);
  if ('secret' in read) return read.secret;
  report(`${name}_FILE must name a readable file with text of up to 64 KB: ${file} ${read.fault}`);
  return null;
}

/** A misspelt name is an error, because it would silently have no effect. */
function findUnknownSettings(env: NodeJS.ProcessEnv, known: ReadonlySet<string>): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('KEYTURN_') && !known.has(name) && !testSettings.has(name))
    .map((name) => `${name} is not a known setting`);
}

/** Read by the tests, not by the server. */
const testSettings = new Set(['KEYTURN_TEST_SEED']);

const split = (list: string | null) =>
  (list ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');

const shorten = (value: string) => (value.length > 40 ? `${value.slice(0, 40)}…` : value);

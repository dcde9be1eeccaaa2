import { hideCardNumbers } from '@keyturn/contract';
import { Ajv, type ErrorObject, type Options } from 'ajv';
import { addFormats } from './add-formats.ts';
import { wordsOfError } from './words-of-errors.ts';

/** Why an input is invalid, and where, for example `/searches/3/price/net`. */
export interface InputProblem {
  place: string;
  reason: string;
}

/** Problems of one input that are reported at most. */
export const maxProblems = 50;

/**
 * Creates a function that finds all problems of an input. Of an input that is larger than people and programs send, it
 * finds the first one, because looking for all would take the time and memory that the limits of the schema save.
 */
export function createProblemFinder(options: Options): (schema: object, value: unknown) => InputProblem[] {
  const createAjv = (allErrors: boolean) =>
    addFormats(new Ajv({ ...options, allErrors, strict: false, verbose: true }));
  // Each keeps what it has compiled.
  const first = createAjv(false);
  let all: Ajv | undefined;
  return (schema, value) => {
    const quick = first.compile(schema);
    if (quick(value)) return [];
    if (!isSmall(value)) return problemsOf(quick.errors ?? []);
    all ??= createAjv(true);
    const complete = all.compile(schema);
    complete(value);
    return problemsOf(complete.errors ?? []);
  };
}

const small = { values: 2_000, characters: 5_000 };

/** Whether an input has few values and no long text. */
export function isSmall(value: unknown, left = { values: small.values }): boolean {
  left.values -= 1;
  if (left.values < 0) return false;
  if (typeof value === 'string') return value.length <= small.characters;
  if (value === null || typeof value !== 'object') return true;
  for (const key in value) if (!isSmall((value as Record<string, unknown>)[key], left)) return false;
  return true;
}

function problemsOf(errors: readonly ErrorObject[]): InputProblem[] {
  const problems = new Map<string, InputProblem>();
  for (const error of resolveUnions(errors)) {
    if (problems.size === maxProblems) break;
    const problem = { place: error.instancePath + fieldOf(error), reason: wordsOfError(error) };
    problems.set(`${problem.place} ${problem.reason}`, problem);
  }
  return [...problems.values()];
}

const maxFieldName = 60;

/** The name of a missing or unknown field. The sender chose the latter: it may be long, or a card number. */
function fieldOf({ params }: ErrorObject): string {
  if (typeof params.missingProperty === 'string') return `/${params.missingProperty}`;
  if (typeof params.additionalProperty !== 'string') return '';
  return `/${hideCardNumbers(params.additionalProperty.slice(0, maxFieldName))}`;
}

/** Keeps, of the errors of a union, those of the alternative that the value comes closest to. */
function resolveUnions(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword !== 'anyOf') {
      kept.push(error);
      continue;
    }
    // The errors of the alternatives come directly before that of the union.
    const start = `${error.schemaPath}/`;
    const isOfUnion = (each: ErrorObject | undefined) =>
      each?.schemaPath.startsWith(start) &&
      (each.instancePath === error.instancePath || each.instancePath.startsWith(`${error.instancePath}/`));
    const ofUnion: ErrorObject[] = [];
    while (isOfUnion(kept.at(-1))) ofUnion.unshift(kept.pop() as ErrorObject);
    kept.push(...closestAlternative(error, ofUnion));
  }
  return kept;
}

function closestAlternative(union: ErrorObject, errors: readonly ErrorObject[]): ErrorObject[] {
  const position = union.schemaPath.length + 1;
  const alternatives = new Map<string | undefined, ErrorObject[]>();
  for (const error of errors) {
    const [index] = error.schemaPath.slice(position).split('/', 1);
    alternatives.set(index, [...(alternatives.get(index) ?? []), error]);
  }
  const isOtherType = (each: ErrorObject) =>
    each.keyword === 'type' && each.instancePath === union.instancePath;
  const possible = [...alternatives.values()].filter((each) => !each.some(isOtherType));
  if (possible.length > 0) return possible.reduce((best, each) => (each.length < best.length ? each : best));
  const types = errors.filter(isOtherType).map(({ params }) => params.type);
  return [{ ...union, keyword: 'type', params: { type: types.flat() } }];
}

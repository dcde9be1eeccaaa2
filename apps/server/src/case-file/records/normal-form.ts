import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { FeedList, FeedRecord } from '@keyturn/contract';
import type { MilestonePath } from '@keyturn/contract/staff';
import { vatOf } from './vat-of.ts';

/**
 * Converts a valid record to its normal form, which is equal for records that are stored alike: without defaults and
 * the password, with timestamps in one format and unordered lists sorted.
 * @param path the path of a matter
 */
export function normalForm<List extends FeedList>(
  list: List,
  record: FeedRecord<List>,
  path: MilestonePath | null,
): FeedRecord<List> {
  const normalise = normalForms[list] as (sent: FeedRecord<List>, path: MilestonePath | null) => object;
  const normal = normalise(record, path);
  return Object.fromEntries(
    Object.entries(normal).filter(([, value]) => value !== undefined),
  ) as FeedRecord<List>;
}

const normalForms: { [List in FeedList]: (record: FeedRecord<List>, path: MilestonePath | null) => object } =
  {
    clients: ({ password: _password, email, ...rest }) => ({ ...rest, email: email.trim() }),
    cases: ({ clients, ...rest }) => ({ ...rest, clients: [...new Set(clients)].sort() }),
    matters: normaliseMatter,
    documents: ({ file, shared_at, confirm_identity, ...rest }) => ({
      ...rest,
      confirm_identity: confirm_identity || undefined,
      file: basename(file),
      shared_at: normaliseInstant(shared_at),
    }),
    searches: ({ price: { net, vat_rate, vat }, paid_at, ordered_at, returned_at, ...rest }) => ({
      ...rest,
      price: { net, vat_rate, ...(vat === undefined || vat === vatOf(net, vat_rate) ? {} : { vat }) },
      paid_at: normaliseInstant(paid_at),
      ordered_at: normaliseInstant(ordered_at),
      returned_at: normaliseInstant(returned_at),
    }),
    tasks: (record) => record,
    bills: ({ due_on_completion, paid, ...rest }) => ({
      ...rest,
      due_on_completion: due_on_completion || undefined,
      paid: paid || undefined,
    }),
    history: ({ occurred_at, ...rest }) => ({ ...rest, occurred_at: normaliseInstant(occurred_at) }),
  };

/** Leaves out upcoming milestones, and texts that equal those of the path. */
function normaliseMatter(
  { parties = [], milestones, ...rest }: FeedRecord<'matters'>,
  path: MilestonePath | null,
): object {
  const steps = (path?.steps ?? []).flatMap((step) => {
    const sent = milestones.find(({ key }) => key === step.key);
    if (!sent) return [];
    const { title, explanation, actor, usual_working_days: usual, ...others } = sent;
    const isUsual = isDeepStrictEqual(usual ?? null, step.usual_working_days);
    const own = {
      ...(title === step.title ? {} : { title }),
      ...(explanation === step.explanation ? {} : { explanation }),
      ...(actor === step.actor ? {} : { actor }),
      ...(isUsual ? {} : { usual_working_days: usual }),
    };
    const milestone = Object.fromEntries(
      Object.entries({ ...others, ...own }).filter(([, value]) => value !== undefined),
    );
    return milestone.status === 'upcoming' && Object.keys(milestone).length === 2 ? [] : [milestone];
  });
  return { ...rest, parties: parties.length > 0 ? parties : undefined, milestones: steps };
}

const normaliseInstant = (value: string | undefined) =>
  value === undefined || Number.isNaN(Date.parse(value)) ? value : new Date(value).toISOString();

import type { DeskMilestone } from '@keyturn/contract/staff';
import { expect, test } from 'vitest';
import { waitingHint } from './waiting-hint.ts';

type Derived = NonNullable<DeskMilestone['derived_waiting']>;

const hint = (
  waiting_for: string,
  derived: Partial<Derived> | null = {},
  { status = 'current', own = null as string | null } = {},
) =>
  waitingHint(
    {
      derived_waiting: derived && {
        waiting_for: 'You, then Wessex Water',
        basis: 'certain',
        is_own_outdated: false,
        ...derived,
      },
      own_waiting_for: own,
      own_waiting_since: null,
    } as DeskMilestone,
    { status, waiting_for, waiting_since: '' },
    'Amelia',
  );
const usual = { basis: 'usual', waiting_for: 'Us' } as const;
const known = { basis: 'known', waiting_for: 'Wessex Water' } as const;

test('the hint of Waiting for says what clients see while it is empty', () => {
  expect(hint(' ')).toMatch(/^Clients see “Amelia, then Wessex Water” while this is empty\./);
});

test('the hint of Waiting for says that clients see a text besides what they have to do, and until when', () => {
  expect(hint('The seller')).toBe(
    'Clients see “Amelia, then Wessex Water”. If this text says more, they see it as “Also waiting for”, until the next payment, signature or other event of the step.',
  );
});

test('the hint of Waiting for says that a text replaces what Keyturn worked out, until the next event if there can be one', () => {
  expect(hint('The seller', known)).toBe(
    'Clients see this instead of “Wessex Water”, until the next payment, signature or other event of the step.',
  );
  expect(hint('The seller', usual)).toBe('Clients see this instead of “Us”.');
  expect(hint('You', usual)).toBe('Clients see this instead of “Us”.');
});

test('the hint of Waiting for says that a text starting with You is not shown where Keyturn knows what clients have to do', () => {
  expect(hint('You', known)).toMatch(/^Clients see “Wessex Water”, and not this text: it starts with “You”/);
});

test('the hint of Waiting for says that a stored text is no longer shown, until it is changed', () => {
  const outdated = { ...known, is_own_outdated: true };
  expect(hint('The seller', outdated, { own: 'The seller' })).toMatch(/They no longer see this text/);
  expect(hint('The buyer', outdated, { own: 'The seller' })).toMatch(/^Clients see this instead of/);
});

test('the hint of Waiting for says that clients see a text only while the step is under way', () => {
  expect(hint('The seller', null, { status: 'upcoming' })).toBe(
    'Clients see this only while the step is under way or held up.',
  );
  expect(hint('The seller', null)).toMatch(/^Clients see this once the step is saved as under way/);
});

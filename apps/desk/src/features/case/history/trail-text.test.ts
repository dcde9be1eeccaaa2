import type { DeskCase, TrailEntry } from '@keyturn/contract/staff';
import { expect, test } from 'vitest';
import { describeEdits, describeEntry } from './trail-text.ts';

const deskCase = {
  matters: [
    {
      id: 'm-1',
      reference: 'M1',
      matter_type: 'purchase',
      property: { address_lines: ['The Old Chapel'], town: 'Frome' },
      milestones: [{ key: 'searches_ordered', title: 'Searches ordered' }],
    },
  ],
  clients: [{ id: 'c-1', reference: 'C1', first_name: 'Amelia', last_name: 'Okafor' }],
  searches: [{ id: 's-1', reference: 'S1', name: 'Drainage search' }],
  documents: [{ id: 'd-1', reference: 'D1', title: 'The contract' }],
  tasks: [{ id: 't-1', reference: 'T1', title: 'Send your passport' }],
  bills: [],
  payments: [],
} as unknown as DeskCase;

const entry = (action: string, kind: string, id: string, change: Partial<TrailEntry> = {}): TrailEntry => ({
  position: 1,
  id: 'e-1',
  at: '2026-11-23T09:00:00Z',
  actor: { kind: 'staff', name: 'Rhian Morgan' },
  action,
  subject: { kind, id },
  before: null,
  after: null,
  ...change,
});

test.each([
  [entry('desk.record_changed', 'search', 'S1'), 'Changed Drainage search'],
  [entry('desk.record_added', 'task', 'T1'), 'Added “Send your passport”'],
  [entry('document.opened', 'document', 'D1'), 'Opened The contract'],
  [entry('client.invited', 'client', 'c-1'), 'Invited Amelia Okafor again'],
  [entry('payment.link_withdrawn', 'search', 's-1'), 'Withdrew the request to pay for Drainage search'],
  [entry('desk.record_changed', 'matter', 'M1'), 'Changed the purchase of The Old Chapel'],
  [entry('desk.record_changed', 'search', 'GONE'), 'Changed a search'],
  [entry('staff.role_changed', 'staff', 'x'), 'Staff: role changed'],
])('an entry of the trail says what was done in plain words', (recorded, words) => {
  expect(describeEntry(recorded, deskCase)).toBe(words);
});

test('a changed milestone is named, with its former and its new state', () => {
  const before = {
    'milestones.searches_ordered.status': 'current',
    'milestones.searches_ordered.reached_on': null,
  };
  const after = {
    'milestones.searches_ordered.status': 'done',
    'milestones.searches_ordered.reached_on': '2026-11-23',
  };
  expect(describeEdits(entry('desk.record_changed', 'matter', 'M1', { before, after }), deskCase)).toEqual([
    'Searches ordered: status from under way to done',
    'Searches ordered: day set to 23 Nov 2026',
  ]);
});

test('a changed price is shown as money, a removed value with what it was, and a text that is hashed only as changed', () => {
  const before = { 'price.net': 4_600, delayed_reason: 'sha256:aa', expected_on: '2026-12-01' };
  const after = { 'price.net': 5_000, delayed_reason: 'sha256:bb', expected_on: null };
  expect(describeEdits(entry('desk.record_changed', 'search', 'S1', { before, after }), deskCase)).toEqual([
    'Price without VAT from £46.00 to £50.00',
    'Reason for the delay changed',
    'Expected removed, was 1 Dec 2026',
  ]);
});

test('an entry about anything but a changed record lists no values', () => {
  const after = { client: 'C1' };
  expect(describeEdits(entry('payment.link_requested', 'search', 'S1', { after }), deskCase)).toEqual([]);
});

test('a client who was added to the case or removed from it is named', () => {
  const change = (before: TrailEntry['before'], after: TrailEntry['after']) =>
    describeEdits(entry('desk.record_changed', 'case', 'K1', { before, after }), deskCase);
  expect(change({ 'clients.C1': null }, { 'clients.C1': true })).toEqual(['Amelia Okafor added']);
  expect(change({ 'clients.C9': true }, { 'clients.C9': null })).toEqual(['Client C9 removed']);
});

test('a feature that was added to a matter or removed from it is named', () => {
  const change = (before: TrailEntry['before'], after: TrailEntry['after']) =>
    describeEdits(entry('desk.record_changed', 'matter', 'M1', { before, after }), deskCase);
  expect(change({ 'features.auction': null }, { 'features.auction': true })).toEqual([
    'Feature “Auction” added',
  ]);
  expect(change({ 'features.auction': true }, { 'features.auction': null })).toEqual([
    'Feature “Auction” removed',
  ]);
});

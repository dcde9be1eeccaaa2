import { describe, expect, test } from 'vitest';
import { milestoneFixture } from '../../../fixtures/entities.ts';
import { inSentence, usualDays, waitingFacts, waitingFor, waitingInSentence } from './waiting-for.ts';

const today = '2026-11-21';

describe('the waiting-for facts of a step', () => {
  test('waiting-for facts list the actor, the start, the usual duration and the next update', () => {
    const milestone = milestoneFixture({
      waiting_for: 'You, then Somerset Council',
      waiting_since: '2026-11-19',
      usual_working_days: { from: 8, to: 12 },
      next_update_by: '2026-11-25',
    });
    expect(waitingFacts(milestone, 'purchase', today)).toEqual([
      { label: 'Waiting for', text: 'You, then Somerset Council' },
      { label: 'Since', day: '2026-11-19' },
      { label: 'Usually takes', text: '8 to 12 working days' },
      { label: 'Next update by', day: '2026-11-25' },
    ]);
  });

  test('a usual duration says of which month its figures are, if the firm has stated it', () => {
    const usual = { usual_working_days: { from: 15, to: 85 } };
    const facts = (milestone: object) =>
      waitingFacts(milestoneFixture({ ...usual, ...milestone }), 'purchase', today)[1];
    expect(facts({ figures_of: '2026-11-01' })).toEqual({
      label: 'Usually takes',
      text: '15 to 85 working days (figures of November 2026)',
    });
    expect(facts({ figures_of: null })?.text).toBe('15 to 85 working days');
    expect(usualDays(milestoneFixture({ figures_of: '2026-11-01' }))).toBeNull();
  });

  test('waiting-for facts end with what the firm also waits for, which a sentence names too', () => {
    const milestone = milestoneFixture({
      waiting_for: 'You, then Wessex Water',
      also_waiting: { waiting_for: 'The seller, who is away', waiting_since: '2026-11-20' },
    });
    expect(waitingFacts(milestone, 'purchase', today)).toEqual([
      { label: 'Waiting for', text: 'You, then Wessex Water' },
      { label: 'Also waiting for', text: 'The seller, who is away', day: '2026-11-20' },
    ]);
    expect(waitingInSentence(milestone, 'purchase')).toBe(
      'you, then Wessex Water; also for the seller, who is away',
    );
  });

  test('waiting-for facts leave out unknown dates and durations', () => {
    expect(waitingFacts(milestoneFixture(), 'purchase', today)).toEqual([
      { label: 'Waiting for', text: 'Us' },
    ]);
  });

  test('waiting-for facts show the next update until the end of its day, and not as a future one after it', () => {
    const labels = (next_update_by: string) =>
      waitingFacts(milestoneFixture({ next_update_by }), 'purchase', today).map(({ label }) => label);
    expect(labels('2026-11-21')).toContain('Next update by');
    expect(labels('2026-11-20')).not.toContain('Next update by');
  });

  test('formats a range of working days, and a single day without a range', () => {
    const days = (from: number, to: number) =>
      usualDays(milestoneFixture({ usual_working_days: { from, to } }));
    expect([days(1, 1), days(5, 5), days(1, 3)]).toEqual([
      '1 working day',
      '5 working days',
      '1 to 3 working days',
    ]);
  });

  test.each([
    ['you', 'sale', 'You'],
    ['us', 'sale', 'Us'],
    ['other_side', 'sale', 'The buyer’s lawyer'],
    ['other_side', 'purchase', 'The seller’s lawyer'],
    ['other_side', 'remortgage', 'The other side'],
    ['third_party', 'purchase', 'Another organisation'],
  ] as const)('shows the actor %s of a %s as "%s"', (actor, matterType, words) => {
    expect(waitingFor(milestoneFixture({ key: 'title_reviewed', actor }), matterType)).toBe(words);
  });

  test.each([
    ['exchanged', 'us', 'purchase', 'Everyone in the chain'],
    ['enquiries_answered', 'other_side', 'sale', 'Everyone in the chain'],
    ['completed', 'us', 'remortgage', 'Us'],
    ['registration_applied', 'third_party', 'purchase', 'Us'],
    ['registered', 'third_party', 'purchase', 'HM Land Registry'],
  ] as const)(
    'the step %s, which the path gives to %s, of a %s waits for "%s"',
    (key, actor, matterType, words) => {
      expect(waitingFor(milestoneFixture({ key, actor }), matterType)).toBe(words);
    },
  );

  test.each([
    ['The seller’s lawyer', 'the seller’s lawyer'],
    ['You, then Somerset Council', 'you, then Somerset Council'],
    ['Your bank', 'your bank'],
    ['You and Tom', 'you and Tom'],
    ['Signatures from you and Tom', 'signatures from you and Tom'],
    ['Thelma Young', 'Thelma Young'],
    ['Usk Bank', 'Usk Bank'],
    ['Everyone in the chain', 'everyone in the chain'],
  ])('"%s" is written as "%s" within a sentence', (words, within) => {
    expect(inSentence(words)).toBe(within);
  });
});

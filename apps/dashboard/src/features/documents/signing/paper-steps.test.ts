import { expect, test } from 'vitest';
import { signatureFixture } from '../../../../fixtures/entities.ts';
import { paperNotice, paperSteps, receivedOriginals } from './paper-steps.ts';

const tom = { name: 'Tom Okafor', signed_at: null };
const deed = signatureFixture({ signing: 'deed', binds_on: 'completion', consent: null, others: [tom] });
const paper = signatureFixture({ signing: 'wet_ink', consent: null });

test('explains that a deed needs a witness in the same room, and that the firm dates it', () => {
  expect(paperNotice(deed)).toContain('This is a deed');
  expect(paperNotice(deed)).toContain('It takes effect on completion, when we date it.');
  const steps = paperSteps(deed).join('\n');
  expect(steps).toContain('must be in the room and watch you sign: a video call isn’t enough');
  expect(steps).toContain('Don’t write a date');
  expect(steps).toContain(
    'Tom Okafor signs too, on the same paper or on another print, also in front of a witness.',
  );
});

test('asks for a witness on another paper only where it has a space for one', () => {
  expect(paperNotice(paper)).not.toContain('deed');
  expect(paperSteps(paper)).toEqual([expect.stringContaining('If there’s a space for a witness')]);
});

test('says whose original the firm has received, and whose is missing once the client’s own is there', () => {
  const received = (own: string | null, others: (string | null)[]) =>
    receivedOriginals({
      ...deed,
      original_received_on: own,
      others: others.map((day) => ({ ...tom, original_received_on: day })),
    });
  expect(received(null, [null])).toEqual([]);
  expect(received(null, ['2026-11-20'])).toEqual([
    'We received Tom Okafor’s original on Friday 20 November 2026.',
  ]);
  expect(received('2026-11-20', [null])).toEqual([
    'We received your original on Friday 20 November 2026.',
    'We’re waiting for the signed original from Tom Okafor.',
  ]);
  const others = [{ ...tom, original_received_on: '2026-11-20' }];
  expect(paperSteps({ ...deed, others }).join()).not.toContain('Tom');
});

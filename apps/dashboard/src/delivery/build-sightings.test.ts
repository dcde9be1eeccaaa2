import { describe, expect, test } from 'vitest';
import { createBuildSightings } from './build-sightings.ts';

const own = { id: 'own', timestamp: 1_000 };
const later = { id: 'later', timestamp: 2_000 };
const earlier = { id: 'earlier', timestamp: 500 };

describe('delivery 5: another build', () => {
  test('that is later counts at once, and no longer once ours is the latest again', () => {
    const { record } = createBuildSightings(own);
    expect(record(later, 0)).toBe('newer');
    expect(record(own, 1_000)).toBe('same');
  });

  test('that is earlier counts when it is seen again after half a minute', () => {
    const { record } = createBuildSightings(own);
    expect(record(earlier, 0)).toBe('perhaps');
    expect(record(earlier, 29_999)).toBe('perhaps');
    expect(record(earlier, 30_000)).toBe('newer');
  });

  test('that is earlier does not count while servers answer in turn', () => {
    const { record } = createBuildSightings(own);
    for (let at = 0; at < 600_000; at += 30_000) {
      expect(record(earlier, at)).toBe('perhaps');
      expect(record(own, at + 15_000)).toBe('same');
    }
  });

  test('is another sighting for each id, and a first one when the clock was put back', () => {
    const { record } = createBuildSightings(own);
    expect(record(earlier, 100_000)).toBe('perhaps');
    expect(record({ id: 'third', timestamp: 400 }, 140_000)).toBe('perhaps');
    expect(record({ id: 'third', timestamp: 400 }, 10_000)).toBe('perhaps');
    expect(record({ id: 'third', timestamp: 400 }, 20_000)).toBe('perhaps');
    expect(record({ id: 'third', timestamp: 400 }, 40_000)).toBe('newer');
  });
});

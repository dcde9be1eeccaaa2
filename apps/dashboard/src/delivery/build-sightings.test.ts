import { describe, expect, test } from 'vitest';
import { createBuildSightings } from './build-sightings.ts';

const own = { id: 'own', timestamp: 1_000 };
const later = { id: 'later', timestamp: 2_000 };
const earlier = { id: 'earlier', timestamp: 500 };

describe('sightings of another build', () => {
  test('counts a later build at once, until our own build is the latest again', () => {
    const { record } = createBuildSightings(own);
    expect(record(later, 0)).toBe('newer');
    expect(record(own, 1_000)).toBe('same');
  });

  test('counts an earlier build when it is seen again after 30 seconds', () => {
    const { record } = createBuildSightings(own);
    expect(record(earlier, 0)).toBe('unconfirmed');
    expect(record(earlier, 29_999)).toBe('unconfirmed');
    expect(record(earlier, 30_000)).toBe('newer');
  });

  test('fault 56: ignores an earlier build while old and new servers answer in turn', () => {
    const { record } = createBuildSightings(own);
    for (let at = 0; at < 600_000; at += 30_000) {
      expect(record(earlier, at)).toBe('unconfirmed');
      expect(record(own, at + 15_000)).toBe('same');
    }
  });

  test('waits again for each earlier build id, and when the clock was set back', () => {
    const { record } = createBuildSightings(own);
    expect(record(earlier, 100_000)).toBe('unconfirmed');
    expect(record({ id: 'third', timestamp: 400 }, 140_000)).toBe('unconfirmed');
    expect(record({ id: 'third', timestamp: 400 }, 10_000)).toBe('unconfirmed');
    expect(record({ id: 'third', timestamp: 400 }, 20_000)).toBe('unconfirmed');
    expect(record({ id: 'third', timestamp: 400 }, 40_000)).toBe('newer');
  });
});

import { expect, test } from 'vitest';
import { throttledAddress } from './throttled-address.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['0313.0.113.07', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ['', ''],
  ['no address', 'no address'],
])('throttles the address %s as %s', (address, expected) => {
  expect(throttledAddress(address)).toBe(expected);
});

import { expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

test.each([
  '8.8.8.8',
  '93.184.216.34',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::6810:84e5',
  '2a00:1450:4009:81f::200e',
  '::ffff:8.8.8.8',
])('%s is a public IP address', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ['0.0.0.0', 'this host'],
  ['0.1.2.3', 'this network'],
  ['10.0.0.1', 'private'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['100.100.100.200', 'the metadata of a cloud'],
  ['169.254.169.254', 'the metadata of a cloud'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.192', 'the metadata of a cloud'],
  ['192.168.1.1', 'private'],
  ['198.18.0.1', 'benchmarks'],
  ['203.0.113.7', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::127.0.0.1', 'compatible with an IPv4 loopback address'],
  ['::ffff:127.0.0.1', 'a mapped loopback address'],
  ['::ffff:a9fe:a9fe', 'a mapped metadata address'],
  ['::ffff:0:10.0.0.1', 'a translated private address'],
  ['64:ff9b::a00:1', 'a private address behind NAT64'],
  ['64:ff9b:1::a00:1', 'local NAT64'],
  ['2002:7f00:1::', 'a loopback address in 6to4'],
  ['2001:0:7f00:1::', 'Teredo'],
  ['2001:db8::1', 'documentation'],
  ['fc00::1', 'unique local'],
  ['fd00:ec2::254', 'the metadata of a cloud'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local with a zone'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['4000::1', 'not allocated'],
  ['example.com', 'a name'],
  ['', 'empty'],
])('%s (%s) is not a public IP address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

import { expect, test } from 'vitest';
import { removeReturnParameters } from './remove-return-parameters.ts';

function addressAfter(search: string): string | null {
  let address: string | null = null;
  removeReturnParameters({
    location: { pathname: '/payment', search, hash: '' } as Location,
    history: {
      state: null,
      replaceState: (_: unknown, __: string, url: string) => {
        address = url;
      },
    } as never,
  });
  return address;
}

test('removes the parameters that a bank adds to the URL', () => {
  const added = 'payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2&redirect_status=succeeded';
  expect(addressAfter(`?${added}`)).toBe('/payment');
  expect(addressAfter(`?for=me&${added}`)).toBe('/payment?for=me');
  expect(addressAfter('?payment_intent_client_secret=pi_1_secret_2')).toBe('/payment');
});

test('leaves any other URL unchanged', () => {
  expect(addressAfter('')).toBeNull();
  expect(addressAfter('?next=/payment')).toBeNull();
});

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demonstrationPassword } from '../harness/api-client.ts';
import { newContext } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct();

async function signInAs(page: Page, email: string) {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(demonstrationPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('the sign-in page says that a browser without storage signs out at a reload, and signs in', async () => {
  const context = await newContext(product.browser);
  await context.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
    Object.defineProperty(navigator, 'cookieEnabled', { get: () => false });
  });
  const page = await context.newPage();
  await page.goto(`${product.url}/login`);
  await page.getByText('Your browser isn’t saving anything for this site').waitFor();
  await signInAs(page, 'priya@example.test');
  await page.getByText(/^Last updated/).waitFor();
  await context.close();
});

test.each([
  ['/login', 'priya@example.test'],
  ['/desk', 'rhian.morgan@example.test'],
])('a sign-in at %s that the browser does not keep is not called an ended session', async (path, email) => {
  const context = await newContext(product.browser);
  const page = await context.newPage();
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers() };
    delete headers['set-cookie'];
    await context.clearCookies();
    await route.fulfill({ response, headers });
  });
  await page.goto(product.url + path);
  await signInAs(page, email);
  await page.getByText('Your browser blocked the cookie that keeps you signed in.').waitFor();
  expect(await page.getByText('Your session has ended').count()).toBe(0);
  await page.unrouteAll({ behavior: 'wait' });
  await context.close();
});

test('the sign-in page says that the clock of a device is a day ahead', async () => {
  const context = await newContext(product.browser);
  const page = await context.newPage();
  await page.clock.install({ time: Date.now() + 86_400_000 });
  await page.goto(`${product.url}/login`);
  await signInAs(page, 'unknown@example.test');
  await page.getByText('This device’s clock seems to be wrong').waitFor();
  await context.close();
});

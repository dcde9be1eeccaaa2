import { expect, test } from 'vitest';
import {
  expectNoSidewaysScrolling,
  findAccessibilityViolations,
} from '../harness/accessibility-violations.ts';
import { collectPageErrors, newContext, signIn } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { connectToProductDatabase } from '../harness/product-database.ts';

const product = withProduct();

const pages = [
  [
    'Regulation',
    'a company registered in England and Wales (00000000)',
    'Authorised and regulated by the Solicitors Regulation Authority (SRA number 000000).',
    'Example Indemnity Insurance plc',
  ],
  ['Complaints', 'complaints@alderfinch.example', 'eight weeks', 'Legal Ombudsman, PO Box 6167', 'the SRA'],
  ['Privacy', 'Alder & Finch Conveyancing Limited is the controller', 'within 30 days', 'Wycliffe House'],
  ['Terms', 'Terms of business', 'by post', 'reasonable adjustments'],
] as const;

test('a visitor who has not signed in reads the pages about the firm from the sign-in page', async () => {
  const context = await newContext(product.browser);
  const page = await context.newPage();
  const pageErrors = collectPageErrors(page);
  for (const [title, ...texts] of pages) {
    await page.goto(`${product.url}/login`);
    await page.getByRole('link', { name: title, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/${title.toLowerCase()}`);
    expect(await page.title()).toBe(`${title} – Keyturn Client Dashboard`);
    const words = await page.getByRole('main').textContent();
    for (const text of texts) expect(words).toContain(text);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const [width, height] of [
        [1440, 900],
        [390, 844],
        [320, 640],
      ] as const) {
        await page.setViewportSize({ width, height });
        expect(await findAccessibilityViolations(page), `${title} ${width}`).toEqual([]);
        await expectNoSidewaysScrolling(page, title);
      }
    }
  }
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('a signed-in client opens the pages about the firm from the foot of the dashboard, and returns', async () => {
  const context = await newContext(product.browser);
  const page = await context.newPage();
  await signIn(page, product.url, 'amelia@example.test');
  await page.getByText(/^Last updated/).waitFor();
  const foot = page.getByRole('contentinfo');
  expect(await foot.textContent()).toContain('SRA number 000000');
  await foot.getByRole('link', { name: 'Complaints' }).click();
  await page.getByRole('heading', { level: 1, name: 'Complaints' }).waitFor();
  await page.getByRole('link', { name: /, home$/ }).click();
  await page.getByText(/^Last updated/).waitFor();
  await context.close();
});

test('the regulator’s badge is loaded on the page Regulation alone, which reads well without a network', async () => {
  const database = await connectToProductDatabase(product.dataDirectory);
  await database.query(
    `insert into firm_data (kind, version, value)
     select kind, version + 1, value || '{"badge_url": "https://cdn.yoshki.com/iframe/55845r.html"}'
     from firm_data where kind = 'regulation' order by version desc limit 1`,
  );
  await database.end();
  const context = await newContext(product.browser);
  const page = await context.newPage();
  let isOnline = true;
  const asked: string[] = [];
  await context.route('https://cdn.yoshki.com/**', async (route) => {
    asked.push(`${await route.request().headerValue('referer')}`);
    if (!isOnline) return route.abort();
    return route.fulfill({ contentType: 'text/html', body: '<p>Checked badge</p>' });
  });
  // The public configuration is read once a second.
  await expect
    .poll(async () => (await page.goto(`${product.url}/regulation`))?.headers()['content-security-policy'])
    .toContain('https://cdn.yoshki.com');
  await page.goto(`${product.url}/login`);
  asked.length = 0;
  await page.getByRole('link', { name: 'Regulation', exact: true }).click();
  await page.frameLocator('iframe').getByText('Checked badge').waitFor();
  expect(asked).toEqual([`${product.url}/`]);
  expect(await findAccessibilityViolations(page)).toEqual([]);
  // A page that was loaded from here has another policy.
  const policyAt = (path: string) =>
    page.waitForResponse((response) => new URL(response.url()).pathname === path);
  const complaints = policyAt('/complaints');
  await page.getByRole('link', { name: 'Complaints', exact: true }).click();
  expect((await complaints).headers()['content-security-policy']).not.toContain('yoshki');
  await page.getByRole('heading', { level: 1, name: 'Complaints' }).waitFor();

  isOnline = false;
  await page.goto(`${product.url}/regulation`);
  await page.getByText('The badge is loaded from Yoshki').waitFor();
  expect(await page.getByRole('main').textContent()).toContain('SRA number 000000');
  await context.close();
});

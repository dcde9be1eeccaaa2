import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { collectPageErrors, newContext, storeSignIn } from '../harness/browser.ts';
import { signInToDesk } from '../harness/desk-screens.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { connectToProductDatabase } from '../harness/product-database.ts';

const product = withProduct();

/**
 * Changes the page as Chrome's translation does: replaces each text by two elements, when it appears and when it changes.
 * Its translation has the same words, so that tests find them.
 */
function translatePage(): void {
  const translate = (text: Node) => {
    const parent = text.parentElement;
    if (!parent || !text.textContent?.trim() || parent.closest('font, script, style, textarea, svg')) return;
    const outer = document.createElement('font');
    const inner = document.createElement('font');
    inner.textContent = text.textContent;
    outer.append(inner);
    parent.insertBefore(outer, text);
    parent.removeChild(text);
  };
  const translateAll = (root: Node) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found: Node[] = [];
    while (texts.nextNode()) found.push(texts.currentNode);
    if (root.nodeType === Node.TEXT_NODE) found.push(root);
    found.forEach(translate);
  };
  const observe = () => {
    translateAll(document.body);
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        if (target.nodeType === Node.TEXT_NODE) translate(target);
        for (const added of addedNodes) translateAll(added);
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  };
  if (document.body) observe();
  else document.addEventListener('DOMContentLoaded', observe);
}

/** Opens a page that the browser translates, for a client or, without one, for a member of staff or a guest. */
async function openTranslated(email?: string) {
  const context = await newContext(product.browser, { viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  if (email) await storeSignIn(page, product.url, email);
  await page.addInitScript(translatePage);
  return { context, page, pageErrors: collectPageErrors(page) };
}

const follow = async (page: Page, name: string) => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
};

test('a client reads the screens, a document and its text on a page that the browser translates', async () => {
  const { context, page, pageErrors } = await openTranslated('amelia@example.test');
  await page.goto(product.url);
  await page.getByText(/^Last updated/).waitFor();
  expect(await page.locator('h1 font').count(), 'the page is translated').toBeGreaterThan(0);
  await follow(page, 'Milestones');
  await page.getByText('Exchange').filter({ visible: true }).first().waitFor();
  await follow(page, 'Documents');
  await page.getByRole('heading', { level: 1, name: 'To sign' }).waitFor();
  await page.getByLabel('Search all your documents').fill('ALDER contract');
  await page.getByText('1 document found in all your folders').waitFor();
  await page.getByLabel('Search all your documents').fill('contract');
  await page.getByText(/[2-9] documents found in all your folders/).waitFor();
  await page.getByRole('link', { name: 'Contract for the sale of 14 Alder Row' }).click();
  const readAsText = page.getByRole('button', { name: 'Read as text' });
  await readAsText.click();
  await expect.poll(() => readAsText.getAttribute('aria-pressed')).toBe('true');
  await page.getByText('stakeholder').first().waitFor();
  await readAsText.click();
  await page.getByRole('listitem', { name: 'Page 1 of' }).locator('canvas').waitFor();
  await page.getByRole('button', { name: 'Sign the contract for the sale of 14 Alder Row' }).click();
  await page.getByRole('alert').getByText('Type your full name.').waitFor();
  await follow(page, 'Payments');
  await page.getByText('Your payments').first().waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Read as text' }).waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('a translated page shows what has changed at the firm', async () => {
  const { context, page, pageErrors } = await openTranslated('george@example.test');
  await page.goto(product.url);
  await page.getByText(/^Last updated/).waitFor();
  const database = await connectToProductDatabase(product.dataDirectory);
  for (const title of ['The first title', 'The second title']) {
    await database.query(
      `update conveyancing_cases set title = $1 where id in (select case_id from case_clients
       join clients on clients.id = client_id where email = 'george@example.test')`,
      [title],
    );
    await page.getByText(title).first().waitFor({ state: 'attached' });
  }
  await database.end();
  expect(await page.getByText('The first title').count()).toBe(0);
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('a page is rendered again when an extension of the browser has removed a part of it', async () => {
  const context = await newContext(product.browser);
  const page = await context.newPage();
  await storeSignIn(page, product.url, 'amelia@example.test');
  await page.goto(`${product.url}/documents/sale/to-sign`);
  const contract = page.getByRole('link', { name: 'Contract for the sale of 14 Alder Row' });
  await contract.waitFor();
  await page
    .getByRole('listitem')
    .filter({ has: contract })
    .evaluate((item) => item.remove());
  await page.getByLabel('Search all your documents').fill('window certificate');
  // The page is as it was when it was opened.
  await contract.waitFor();
  await page.getByLabel('Search all your documents').fill('window certificate');
  await page.getByText('1 document found in all your folders').waitFor();
  await context.close();
});

test('a guest corrects a sign-in on a page that the browser translates', async () => {
  const { context, page } = await openTranslated();
  await page.goto(`${product.url}/login`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Email address').fill('amelia@example.test');
  await page.getByLabel('Password', { exact: true }).fill('not this one');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('These credentials do not match our records.').first().waitFor();
  await page.getByLabel('Password', { exact: true }).fill('turn-the-key-2026');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(/^Last updated/).waitFor();
  await context.close();
});

test('staff work at a desk that the browser translates', async () => {
  const { context, page, pageErrors } = await openTranslated();
  await signInToDesk(page, product.url, 'rhian.morgan@example.test');
  await page.goto(`${product.url}/desk/cases`);
  await page
    .getByRole('link', { name: /Okafor/ })
    .first()
    .click();
  await page.getByRole('heading', { level: 1, name: /Okafor|Alder/ }).waitFor();
  expect(await page.locator('h1 font').count(), 'the desk is translated').toBeGreaterThan(0);
  expect(pageErrors).toEqual([]);
  await context.close();
});

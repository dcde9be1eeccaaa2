import { describe, expect, test } from 'vitest';
import { collectPageErrors, demonstrationPassword, signIn } from '../harness/browser.ts';
import { readOutbox } from '../harness/outbox.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct();

const mails = () => readOutbox(product.dataDirectory);

describe('a forgotten password', () => {
  test('is replaced through the link in a mail, which works once', async () => {
    const context = await product.browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    const noise = collectPageErrors(page);
    await page.goto(`${product.url}/login`);
    await page.getByRole('link', { name: /Forgotten your password/ }).click();
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByText('Enter your email address, for example name@example.com.').waitFor();
    await page.getByLabel('Email address').fill('Priya@example.test');
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();

    await expect.poll(() => mails().length, { timeout: 10_000 }).toBe(1);
    const mail = mails()[0] ?? '';
    const link = /http:\/\/[^\s"<>]+\/reset-password\/[\w-]{43}/.exec(mail)?.[0] ?? '';
    await page.goto(link);
    await page.getByRole('heading', { name: 'Choose a password' }).waitFor();
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Set my password' }).click();
    await page.getByText('Use at least 12 characters.').waitFor();
    await page.getByLabel('New password').fill('password1234');
    await page.getByRole('button', { name: 'Set my password' }).click();
    await page.getByText(/too common or too easy to guess/).waitFor();
    await page.getByLabel('New password').fill('three brass hinges and a gate');
    await page.getByRole('button', { name: 'Set my password' }).click();
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email address').fill('priya@example.test');
    await page.getByLabel('Password', { exact: true }).fill('three brass hinges and a gate');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${product.url}/`);

    // The link is for guests, and used up.
    await page.goto(link);
    await page.waitForURL(`${product.url}/`);
    const elsewhere = await product.browser.newContext({ locale: 'en-GB' });
    const guest = await elsewhere.newPage();
    await guest.goto(link);
    await guest.getByRole('heading', { name: 'This link has expired' }).waitFor();
    expect(await guest.getByLabel('New password').count()).toBe(0);
    await guest.getByRole('link', { name: 'Ask for a new link' }).click();
    await guest.getByRole('heading', { name: 'Reset your password' }).waitFor();
    await elsewhere.close();
    // One refusal was meant to be: a weak password.
    expect(noise.filter((line) => !/status of 422/.test(line))).toEqual([]);
    await context.close();
  });
});

describe('a sign-in that nobody uses', () => {
  test('is warned about, can be kept, and otherwise ends in every tab and leads back', async () => {
    const context = await product.browser.newContext({ locale: 'en-GB' });
    await context.clock.install();
    const page = await context.newPage();
    await signIn(page, product.url, 'george@example.test');
    const other = await context.newPage();
    await other.goto(`${product.url}/milestones`);
    await other.getByRole('heading', { level: 1 }).waitFor();
    const warning = page.getByRole('dialog', { name: 'Are you still there?' });
    await context.clock.fastForward('26:00');
    expect(await warning.isVisible()).toBe(false);
    await context.clock.fastForward('01:00');
    await warning.waitFor();
    await page.getByText(/we’ll sign you out in 2 minutes|we’ll sign you out in \d+ seconds/).waitFor();
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await warning.waitFor({ state: 'hidden' });

    await context.clock.fastForward('27:00');
    await warning.waitFor();
    await context.clock.fastForward('02:00');
    await page.waitForURL(`${product.url}/login*`);
    // One of the two noticed first, and told the other.
    const words = page.getByText(
      /We signed you out because you were inactive|You were signed out in another tab/,
    );
    await words.waitFor();
    await other.waitForURL(`${product.url}/login?next=%2Fmilestones`, { timeout: 10_000 });
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('keyturn.'))),
    ).toEqual([]);

    await other.getByLabel('Email address').fill('george@example.test');
    await other.getByLabel('Password', { exact: true }).fill(demonstrationPassword);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.waitForURL(`${product.url}/milestones`);
    // The first tab is signed in with it.
    await page.waitForURL(`${product.url}/`);
    await context.close();
  });
});

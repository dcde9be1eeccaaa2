import { describe, expect, test } from 'vitest';
import { demonstrationPassword } from '../harness/api-client.ts';
import { collectPageErrors, newContext, signInByForm } from '../harness/browser.ts';
import { readOutbox } from '../harness/outbox.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct();

const mails = () => readOutbox(product.dataDirectory);

describe('password reset', () => {
  test('resets a forgotten password through an emailed link that works once', async () => {
    const context = await newContext(product.browser);
    const page = await context.newPage();
    const pageErrors = collectPageErrors(page);
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
    const link = /http:\/\/[^\s"<>]+\/reset-password#[\w-]{43}/.exec(mail)?.[0] ?? '';
    await page.goto(link);
    await page.getByRole('heading', { name: 'Choose a password' }).waitFor();
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Set my password' }).click();
    await page.getByText('Use at least 15 characters.').waitFor();
    await page.getByLabel('New password').fill('password12345678');
    await page.getByRole('button', { name: 'Set my password' }).click();
    await page.getByText(/too common or too easy to guess/).waitFor();
    await page.getByLabel('New password').fill('three brass hinges and a gate');
    await page.getByRole('button', { name: 'Set my password' }).click();
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor();
    expect(page.url()).toBe(`${product.url}/reset-password`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email address').fill('priya@example.test');
    await page.getByLabel('Password', { exact: true }).fill('three brass hinges and a gate');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${product.url}/`);

    // The link redirects a signed-in client to the home page, and has expired for a guest.
    await page.goto(link);
    await page.waitForURL(`${product.url}/`);
    const guestContext = await newContext(product.browser);
    const guest = await guestContext.newPage();
    await guest.goto(link);
    await guest.getByRole('heading', { name: 'This link has expired' }).waitFor();
    expect(await guest.getByLabel('New password').count()).toBe(0);
    await guest.getByRole('link', { name: 'Ask for a new link' }).click();
    await guest.getByRole('heading', { name: 'Reset your password' }).waitFor();

    // An email program has cut off the end of the link.
    await guest.goto(link.slice(0, -30));
    await guest.getByRole('heading', { name: 'This link is incomplete' }).waitFor();
    await guest.getByText('Open it from our email again, or copy all of it into the address bar.').waitFor();
    expect(await guest.getByLabel('New password').count()).toBe(0);
    await guest.getByRole('link', { name: 'Ask for a new link' }).click();
    await guest.getByRole('heading', { name: 'Reset your password' }).waitFor();
    await guestContext.close();
    // The test sends one weak password, which the server rejects.
    expect(pageErrors.filter((line) => !/status of 422/.test(line))).toEqual([]);
    await context.close();
  });
});

describe('the account menu', () => {
  test('leads a signed-in client to their account, and from there to a link for a forgotten password', async () => {
    const context = await newContext(product.browser);
    const page = await context.newPage();
    await signInByForm(page, product.url, 'tom@example.test');
    await page.getByRole('button', { name: /Tom Okafor/ }).click();
    await page.getByRole('link', { name: 'Your account' }).click();
    await page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor();
    await page.getByRole('button', { name: /Forgotten it/ }).click();
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
    await expect.poll(() => page.getByLabel('Email address').inputValue()).toBe('tom@example.test');
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await context.close();
  });
});

describe('an inactive session', () => {
  test('warns before an inactive session ends, can extend it, then signs out every tab and returns after sign-in', async () => {
    const context = await newContext(product.browser);
    await context.clock.install();
    const page = await context.newPage();
    await signInByForm(page, product.url, 'george@example.test');
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
    // The tab that notices first signs the other one out.
    const signedOutMessage = page.getByText(
      /We signed you out because you were inactive|You were signed out in another tab/,
    );
    await signedOutMessage.waitFor();
    await other.waitForURL(`${product.url}/login?next=%2Fmilestones`, { timeout: 10_000 });
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('keyturn.'))),
    ).toEqual([]);

    await other.getByLabel('Email address').fill('george@example.test');
    await other.getByLabel('Password', { exact: true }).fill(demonstrationPassword);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.waitForURL(`${product.url}/milestones`);
    // Signing in on the other tab also signs in the first one.
    await page.waitForURL(`${product.url}/`);
    await context.close();
  });
});

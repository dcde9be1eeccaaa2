import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import sp from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
export const U = 'http://localhost:4811';
export const T0 = Date.now();
export const log = (...a) => console.log(((Date.now() - T0) / 1000).toFixed(1), ...a);
const browser = await chromium.launch({
  executablePath: await sp.executablePath(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  headless: true,
});
function watch(page, n) {
  page.on('console', (m) => {
    if (['error', 'warning'].includes(m.type()))
      log(`[${n} console ${m.type()}]`, m.text().slice(0, 250), m.location().url);
  });
  page.on('pageerror', (e) => log(`[${n} pageerror]`, e.message));
  page.on('requestfailed', (r) => log(`[${n} reqfailed]`, r.method(), r.url(), r.failure()?.errorText));
  page.on('response', (r) => {
    if (r.status() >= 400) log(`[${n} http]`, r.status(), r.request().method(), r.url());
  });
}
async function signin(name, opts = {}) {
  const ctx = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...opts });
  ctx.setDefaultTimeout(8000);
  const page = await ctx.newPage();
  watch(page, name);
  await page.goto(U + '/login');
  await page.getByLabel('Email address').fill(name + '@example.test');
  await page.getByLabel('Password', { exact: true }).fill('turn-the-key-2026');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((u) => !u.pathname.includes('login')).catch((e) => log('signin wait', page.url()));
  await page.waitForTimeout(1200);
  return { ctx, page };
}
const shot = (p, n, full = true) => p.screenshot({ path: `/tmp/tryout/${n}.png`, fullPage: full });
const text = (p) => p.locator('body').innerText();
const api = { browser, watch, signin, shot, text, log, U, fs };
try {
  await (await import(pathToFileURL(process.argv[2]).href)).default(api);
} catch (e) {
  log('SCRIPT ERR', e.message.slice(0, 1200));
}
await browser.close();

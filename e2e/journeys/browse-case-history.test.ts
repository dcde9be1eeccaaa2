import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findAccessibilityViolations } from '../harness/accessibility-violations.ts';
import { collectPageErrors, newContext, signIn } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';

// The edition of firms in production without a licence key.
const product = withProduct({ KEYTURN_DATA_GRID_EDITION: 'community' });

/** Opens the timeline of George's case, which has 500 entries. */
async function openLongHistory(): Promise<{ page: Page; pageErrors: string[]; requestedPaths: string[] }> {
  // Dates and times must follow London, not the time zone of the browser.
  const context = await newContext(product.browser, { timezoneId: 'Pacific/Auckland' });
  const page = await context.newPage();
  const pageErrors = collectPageErrors(page);
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  await signIn(page, product.url, 'george@example.test');
  await page.getByRole('button', { name: 'Switch case' }).first().click();
  await page.getByRole('button', { name: /^Sale of/ }).click();
  await page.getByRole('heading', { level: 1, name: '3 Harbour View' }).waitFor();
  await page.getByRole('link', { name: 'See the full history' }).click();
  await page.getByText('500 entries').waitFor();
  await page.locator('main li').first().waitFor();
  return { page, pageErrors, requestedPaths };
}

describe('a case history of 500 entries', () => {
  test('shows all 500 entries in the timeline and the table, and loads the data grid only for the table', async () => {
    const { page, pageErrors, requestedPaths } = await openLongHistory();
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 5_000);
          return page.locator('main li').count();
        },
        { timeout: 60_000 },
      )
      .toBe(500);
    await page.getByText('This is the start of your case.').waitFor();
    expect(requestedPaths.filter((path) => path.includes('history-table'))).toEqual([]);

    await page.getByRole('radio', { name: 'Table' }).check();
    await page.getByRole('grid', { name: 'Case history' }).getByRole('gridcell').first().waitFor();
    const seen = await page.evaluate(async () => {
      const view = document.querySelector('.ag-grid-viewport');
      const ids = new Set<string | null>();
      for (let top = 0; view && top < view.scrollHeight; top += 300) {
        view.scrollTop = top;
        await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
        for (const row of document.querySelectorAll('.ag-row')) ids.add(row.getAttribute('row-id'));
      }
      return ids.size;
    });
    expect(seen).toBe(500);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  test('older entries that arrive do not move a link of the footer away from the keyboard', async () => {
    const { page } = await openLongHistory();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/api\/case-history\?.*cursor/, async (route) => {
      await held;
      await route.continue();
    });
    const link = page.locator('footer').getByRole('link', { name: 'Regulation' });
    const before = await page.locator('main li').count();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.getByRole('button', { name: 'Loading…' }).waitFor();
    await link.focus();
    release();
    await expect.poll(() => page.locator('main li').count()).toBeGreaterThan(before);
    const count = await page.locator('main li').count();
    const isInView = () =>
      link.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    await expect.poll(isInView).toBe(true);
    await page.waitForTimeout(500);
    expect([await isInView(), await page.locator('main li').count()]).toEqual([true, count]);
    await page.context().close();
  });

  test('filters the case history, sorts it by date and exports it as CSV without console errors', async () => {
    const { page, pageErrors } = await openLongHistory();
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.getByRole('grid', { name: 'Case history' }).waitFor();
    await page.getByLabel('Show').selectOption('payment');
    await page.getByText('18 entries').waitFor();
    await page.getByLabel('Find').fill('deposit');
    await page.getByText('1 of 18 entries').waitFor();
    await page.getByLabel('Find').fill('');
    await page.getByText('18 entries', { exact: true }).waitFor();
    // Oldest first.
    await page.getByRole('columnheader', { name: 'When' }).getByText('When').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download (CSV)' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('case-history.csv');
    const [head, ...rows] = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(head).toBe('\uFEFFWhen,Category,Who,What happened');
    expect(rows).toHaveLength(18);
    const days = rows.map((row) => Date.parse(`${/^"([^,]*),/.exec(row)?.[1]} UTC`));
    expect(days.every((day) => !Number.isNaN(day))).toBe(true);
    expect(days).toEqual(days.toSorted((one, other) => one - other));
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  test('names the filter of a hidden column, and removes it by keyboard', async () => {
    const { page, pageErrors } = await openLongHistory();
    await page.getByRole('radio', { name: 'Table' }).check();
    const heading = page.getByRole('columnheader', { name: 'Who' });
    await heading.hover();
    await heading.locator('.ag-header-cell-filter-button, .ag-header-cell-menu-button').first().click();
    await page.getByRole('textbox', { name: 'Filter Value' }).first().fill('Rhian');
    const count = page.getByRole('status').filter({ hasText: 'of 500 entries' });
    await count.waitFor();
    await page.keyboard.press('Escape');
    const filtered = await count.textContent();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Who' }).uncheck();
    await page.getByText(`${filtered}, filtered by “Who”, a hidden column`).waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    const remove = page.getByRole('button', { name: 'Remove the filter by “Who”' });
    await remove.focus();
    await page.keyboard.press('Enter');
    await page.getByText('500 entries', { exact: true }).waitFor();
    expect(await remove.count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('500 entries');
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  test('groups the table by category, counted, filtered, exported, and opened and closed by keyboard', async () => {
    const { page, pageErrors } = await openLongHistory();
    await page.getByRole('radio', { name: 'Table' }).check();
    const table = page.getByRole('grid', { name: 'Case history' });
    await table.waitFor();
    await page.getByLabel('Group by category').check();
    const groups = table.getByRole('button', { expanded: true });
    const milestones = table.getByRole('button', { name: /^Milestones \d+ entries/ });
    await milestones.waitFor();
    await page.getByText('500 entries', { exact: true }).waitFor();
    const firstEntry = table.locator('.ag-row[row-index="1"]').getByRole('gridcell');
    await firstEntry.first().waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);

    await milestones.click();
    expect(await milestones.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    for (const [key, isOpen] of [
      ['Enter', 'true'],
      ['ArrowLeft', 'false'],
      ['ArrowRight', 'true'],
      [' ', 'false'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => milestones.getAttribute('aria-expanded'), { message: key }).toBe(isOpen);
    }
    // Closed entries still count and are exported.
    await page.getByText('500 entries', { exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download (CSV)' }).click(),
    ]);
    const rows = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(rows).toHaveLength(501);
    expect(rows[1]).toMatch(/^Milestone,/);

    await page.getByLabel('Find').fill('deposit');
    await table.getByRole('button', { name: 'Payments 1 entry' }).waitFor();
    await expect.poll(() => groups.count()).toBeLessThan(6);
    await page.getByLabel('Group by category').uncheck();
    await expect.poll(() => table.getByRole('button', { name: /(entry|entries)$/ }).count()).toBe(0);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  test('remembers the case history view and its columns, and ignores an unreadable setting', async () => {
    const { page } = await openLongHistory();
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Who' }).uncheck();
    await page.reload();
    await page.getByRole('columnheader', { name: 'What happened' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Who' }).count()).toBe(0);
    await page.evaluate(() => localStorage.setItem('keyturn.history-view', '{"view":"table","hidden":5'));
    await page.reload();
    await page.locator('main li').first().waitFor();
    expect(await page.getByRole('radio', { name: 'Timeline' }).isChecked()).toBe(true);
    await page.context().close();
  });
});

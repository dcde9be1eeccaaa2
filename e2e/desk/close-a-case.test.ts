import { expect, test } from 'vitest';
import { collectPageErrors, newContext, signIn } from '../harness/browser.ts';
import { signInToDesk } from '../harness/desk-screens.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct();

async function openClient(email: string) {
  const page = await (await newContext(product.browser)).newPage();
  const errors = collectPageErrors(page);
  await signIn(page, product.url, email);
  return { page, errors };
}

async function openCaseAtDesk(email: string, client: string) {
  const page = await (await newContext(product.browser)).newPage();
  const errors = collectPageErrors(page);
  await signInToDesk(page, product.url, email);
  await page.goto(`${product.url}/desk/cases?q=${encodeURIComponent(client)}`);
  await page.getByRole('link', { name: new RegExp(client) }).click();
  await page.getByRole('button', { name: 'Change the status of the case' }).waitFor();
  return { page, errors };
}

test('a case is put on hold and completed at the desk, its clients read why, and a removed client sees it no more', async () => {
  const amelia = await openClient('amelia@example.test');
  const tom = await openClient('tom@example.test');
  const desk = await openCaseAtDesk('rhian.morgan@example.test', 'Amelia Okafor');
  const dialog = desk.page.getByRole('dialog');
  const change = () => desk.page.getByRole('button', { name: 'Change the status of the case' }).click();
  const choose = async (status: string) => {
    for (const matter of await dialog.getByRole('combobox').all()) await matter.selectOption(status);
  };
  const save = () => dialog.getByRole('button', { name: 'Save the status' }).click();

  await change();
  await save();
  await dialog.getByText('Choose another status.').first().waitFor();
  await choose('On hold');
  await dialog.getByText('nothing will happen until you restart the case').waitFor();
  await dialog.getByLabel('Tell the clients (optional)').fill('Your buyer is abroad until Monday.');
  await save();
  await desk.page.getByText('The case is now on hold. Amelia and Tom can read your update.').waitFor();
  for (const { page } of [amelia, tom]) {
    await page.getByText('This case is on hold').waitFor();
    await page.getByText('Your buyer is abroad until Monday.').first().waitFor();
  }

  await change();
  await choose('Completed');
  await dialog.getByText(/Still open: .* steps that are not done/).waitFor();
  await save();
  await dialog.getByText('Enter the day.').first().waitFor();
  for (const day of await dialog.getByLabel('Completed on').all()) await day.fill('2026-11-20');
  await save();
  await desk.page.getByText('The case is now completed.').waitFor();
  await amelia.page.getByRole('heading', { name: 'Completed on Friday 20 November 2026' }).waitFor();
  await amelia.page.getByText('We have closed your case.').waitFor();
  await expect
    .poll(() => amelia.page.getByText(/What we need from you|Waiting for|Next update by/).count())
    .toBe(0);
  expect(await amelia.page.getByRole('link', { name: /^Pay / }).count()).toBe(0);
  await desk.page.getByRole('button', { name: 'Undo' }).last().click();
  await desk.page.getByText('The case is on hold again.').waitFor();
  await amelia.page.getByText('What we need from you').waitFor();
  await amelia.page.getByText('This case is on hold').waitFor();

  await desk.page.getByRole('link', { name: 'People' }).click();
  await desk.page.getByRole('button', { name: 'Access for Tom Okafor' }).click();
  await desk.page.getByRole('menuitem', { name: 'Remove from this case' }).click();
  await dialog.getByRole('button', { name: 'Remove from the case' }).click();
  await desk.page.getByText('Tom Okafor can no longer see this case.').waitFor();
  await tom.page.reload();
  await expect.poll(() => tom.page.getByText('KT-2026-00421').count()).toBe(0);

  await desk.page.getByRole('button', { name: 'Add a client' }).click();
  await dialog.getByLabel('Search by name, email address or reference').fill('tom');
  await dialog.getByRole('radio', { name: /Tom Okafor/ }).check();
  await dialog.getByRole('button', { name: 'Add to the case' }).click();
  await desk.page.getByText('Tom Okafor can now see this case.').waitFor();
  await tom.page.reload();
  await tom.page.getByText('This case is on hold').waitFor();
  expect([...desk.errors, ...amelia.errors, ...tom.errors]).toEqual([expect.stringContaining('422')]);
});

test('a member who changes the status at the same time as a colleague finds out, and overwrites nothing', async () => {
  const rhian = await openCaseAtDesk('rhian.morgan@example.test', 'Priya Raman');
  const dana = await openCaseAtDesk('dana.price@example.test', 'Priya Raman');
  const change = async ({ page }: typeof rhian, status: string) => {
    await page.getByRole('button', { name: 'Change the status of the case' }).click();
    await page.getByRole('dialog').getByRole('combobox').selectOption(status);
  };
  const save = ({ page }: typeof rhian) => page.getByRole('button', { name: 'Save the status' }).click();
  await change(dana, 'Abandoned');
  await change(rhian, 'On hold');
  await save(rhian);
  await rhian.page.getByText('The case is now on hold.').waitFor();
  // The change has reached the other page before its dialog is saved.
  await dana.page.getByRole('main').getByText('On hold', { exact: true }).first().waitFor();
  await save(dana);
  await dana.page.getByText(/^Rhian Morgan changed this at/).waitFor();
  expect(await dana.page.getByRole('dialog').getByRole('combobox').inputValue()).toBe('on_hold');
  await rhian.page.getByRole('button', { name: 'Undo' }).click();
  await rhian.page.getByText('The case is active again.').waitFor();
  expect(rhian.errors).toEqual([]);
  expect(dana.errors).toEqual([expect.stringContaining('409')]);
});

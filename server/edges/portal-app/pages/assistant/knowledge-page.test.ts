/** The sources of the assistant's knowledge in a real browser. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../../../test/fixtures/eventually.ts'
import { htmlPage, indexed, openWebsite } from '../../../../../test/fixtures/external/website.ts'
import { pdf } from '../../../../../test/fixtures/media/documents.ts'
import { longTest } from '../../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../../test/fixtures/portal/portal-browser.ts'

const { fixture, newProject, open, visit } = await openPortalBrowser('jan@fietsen.example')

async function openShop() {
  const project_id = await newProject('Fietsen van Jan')
  const key = await fixture.newKey({ project_id })
  const send = async (route: string, body?: unknown) => {
    const answer = await fixture.call(route, { key, ...(body !== undefined && { body }) })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  await send('PUT /assistant', {
    name: 'Jan',
    languages: ['en'],
    facts: [{ question: 'Can I park at your shop?', answer: 'Yes, behind the shop.' }],
  })
  const path = `/projects/${project_id}/knowledge?mode=test`
  return { project_id, send, path }
}

const text = {
  kind: 'text',
  title: 'Gift cards',
  text: 'Gift cards are sold at the counter.\nA gift card is valid for two years.',
}

/** A website with a page of prices for each bike. */
function shopPages(bikes_count: number): Record<string, string> {
  const names = Array.from({ length: bikes_count }, (_, at) => `/bike-${at}`)
  const links = names.map((name) => `<a href="${name}">bike</a>`).join('')
  const bikes = names.map((name, at) => [
    name,
    htmlPage(`Bike ${at}`, `<p>The bike with number ${at} costs ${500 + at} euro.</p>`),
  ])
  return {
    '/': htmlPage('Jan', `<p>We sell bikes of every brand since 1950.</p>${links}`),
    ...Object.fromEntries(bikes),
  }
}

describe('the page of knowledge', () => {
  longTest('leads to the assistant of a project without one', async (t) => {
    const project_id = await newProject('Nieuw')
    const { page, faults } = await open(t, 390)
    await visit(page, `/projects/${project_id}/knowledge?mode=test`)
    const notice = page.getByRole('status').filter({ hasText: 'The assistant is not set up yet' })
    await notice.waitFor()
    await saveScreenshot(page, 'knowledge-no-assistant')
    await assertFit(page, 390)
    await notice.getByRole('link', { name: 'Set up the assistant' }).click()
    await page.getByRole('heading', { name: 'Set up the assistant of Nieuw' }).waitFor()
    assert.deepEqual(faults, [])
  })

  for (const width of widthsOfStates) {
    longTest(`fits ${width} with sources of every state`, async (t) => {
      const shop = await openShop()
      const site = await openWebsite({
        '/': htmlPage(
          'Jan',
          '<p>We sell bikes of every brand since 1950.</p><a href="/team">x</a>',
        ),
        '/team': htmlPage('Team', '<p>The mechanic of the shop is Piet de Boer.</p>'),
      })
      const website = await shop.send('POST /assistant/sources', { kind: 'website', url: site.url })
      const gone = await shop.send('POST /assistant/sources', {
        kind: 'website',
        url: `${(await openWebsite({})).url}`,
      })
      const busy = await openWebsite({
        '/robots.txt': (response) => void response.writeHead(503).end(),
      })
      const down = await shop.send('POST /assistant/sources', { kind: 'website', url: busy.url })
      await shop.send('POST /collections', { name: 'opening_questions', assistant_facts: true })
      const { id } = await shop.send('POST /assistant/sources', text)
      for (const one of [website.id, gone.id, down.id, id]) await indexed(fixture, one, shop)
      const { page, faults } = await open(t, width)
      await visit(page, shop.path)
      const list = page.getByRole('list', { name: 'Sources' })
      await list.getByText('The page does not exist.').waitFor()
      await list.getByText('It will be retried automatically.').waitFor()
      assert.equal(await list.getByRole('listitem').count(), 5)
      await page.getByLabel('Question', { exact: true }).fill('How long is a gift card valid?')
      await page.getByRole('button', { name: 'Find' }).click()
      await page.getByText('Answers it').first().waitFor()
      await saveScreenshot(page, `knowledge-${width}`)
      await assertFit(page, width)
      await list.getByRole('button', { name: new URL(site.url).host, exact: true }).click()
      const drawer = page.getByRole('dialog', { name: new URL(site.url).host })
      await drawer.getByText('Team', { exact: true }).waitFor()
      await saveScreenshot(page, `knowledge-${width}-pages`)
      await drawer.getByRole('tab', { name: 'Passages' }).click()
      await drawer.getByText('The mechanic of the shop').waitFor()
      await drawer.getByRole('searchbox').fill('every brand')
      await drawer.getByText('The mechanic of the shop').waitFor({ state: 'detached' })
      await drawer.getByText('bikes of every brand').waitFor()
      await saveScreenshot(page, `knowledge-${width}-passages`)
      await assertFit(page, width)
      assert.deepEqual(faults, [])
    })
  }

  longTest('explains the next step in an empty project', async (t) => {
    const shop = await openShop()
    const { page, faults } = await open(t, 390)
    await visit(page, shop.path)
    await page.getByText('No source yet').waitFor()
    await page.getByText('Let my assistant answer from our website').waitFor()
    await saveScreenshot(page, 'knowledge-empty')
    await assertFit(page, 390)
    assert.deepEqual(faults, [])
  })

  test('adds a website, shows the progress as it is read, and reads it again', async (t) => {
    const shop = await openShop()
    // The pause keeps the website half read until the test moves the clock.
    const robots = 'User-agent: *\nCrawl-delay: 10'
    const site = await openWebsite({ ...shopPages(20), '/robots.txt': robots })
    const { page, faults } = await open(t, 1440)
    await visit(page, shop.path)
    await page.getByRole('button', { name: 'Add a source' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a source' })
    await dialog.getByLabel('Address of the website').fill('ftp://nowhere')
    await dialog.getByRole('button', { name: 'Add a source' }).click()
    await eventually(async () => (await dialog.locator('[aria-invalid]').count()) === 1)
    await saveScreenshot(page, 'knowledge-add-refused')
    await dialog.getByLabel('Address of the website').fill(site.url)
    await dialog.getByRole('button', { name: 'Add a source' }).click()
    await dialog.waitFor({ state: 'detached' })
    const progress = page.getByRole('progressbar', { name: 'Reading 127.0.0.1' })
    await progress.waitFor()
    await page.getByText('of 21 pages').waitFor()
    await saveScreenshot(page, 'knowledge-progress')
    await assertFit(page, 1440)
    while (!site.asked.includes('/bike-19')) {
      const before = site.asked.length
      fixture.passes('10 seconds')
      await eventually(() => site.asked.length > before)
    }
    await progress.waitFor({ state: 'detached' })
    await page.getByText('21 pages').waitFor()
    const asked = site.asked.length
    await page.getByRole('button', { name: 'Actions of 127.0.0.1' }).click()
    await page.getByRole('menuitem', { name: 'Read again now' }).click()
    await page.getByText('It is being read again.').waitFor()
    await eventually(async () => site.asked.length > asked)
    assert.deepEqual(
      faults.filter((fault) => !fault.includes('422')),
      [],
    )
  })

  longTest('adds a text, a document and a collection, and removes them', async (t) => {
    const shop = await openShop()
    await shop.send('POST /collections', { name: 'questions' })
    const { page, faults } = await open(t, 390)
    await visit(page, shop.path)
    const list = page.getByRole('list', { name: 'Sources' })
    const add = async (kind: RegExp) => {
      await page.getByRole('button', { name: 'Add a source' }).click()
      await page
        .getByRole('dialog', { name: 'Add a source' })
        .getByRole('radio', { name: kind })
        .check()
    }
    const confirm = async () => {
      await page
        .getByRole('dialog', { name: 'Add a source' })
        .getByRole('button', { name: 'Add a source' })
        .click()
      await page.getByRole('dialog', { name: 'Add a source' }).waitFor({ state: 'detached' })
    }
    await add(/^Text/)
    await page.getByLabel('Title').fill(text.title)
    await page.getByRole('textbox', { name: 'Text' }).fill(text.text)
    await saveScreenshot(page, 'knowledge-add-text')
    await assertFit(page, 390)
    await confirm()
    await list.getByText('Gift cards').waitFor()
    await add(/^Document/)
    await page.locator('input[data-kind=file]').setInputFiles({
      name: 'terms.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from(pdf(['Our terms.', 'Deposits are returned within fourteen days.'])),
    })
    await page.getByRole('combobox', { name: 'Document' }).getByText('terms.pdf').waitFor()
    await saveScreenshot(page, 'knowledge-add-document')
    await confirm()
    await list.getByText('terms.pdf').waitFor()
    await add(/^Collection/)
    await page.getByRole('combobox', { name: 'Collection' }).click()
    await page.getByRole('option', { name: 'questions' }).click()
    await confirm()
    await list.getByText('questions').waitFor()
    await eventually(async () => (await list.getByText('Ready').count()) === 3)
    await saveScreenshot(page, 'knowledge-390-three')
    const remove = async (title: string) => {
      await page.getByRole('button', { name: `Actions of ${title}` }).click()
      await page.getByRole('menuitem', { name: 'Remove' }).click()
      const dialog = page.getByRole('alertdialog')
      await dialog.getByRole('button', { name: 'Remove' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: `Actions of ${title}` }).waitFor({ state: 'detached' })
    }
    await remove('questions')
    await remove('terms.pdf')
    assert.equal((await shop.send('GET /collections/questions')).assistant_facts, false)
    const { data } = await shop.send('GET /assistant/sources')
    assert.deepEqual(
      data.map(({ title }: { title: string }) => title),
      ['Gift cards'],
    )
    assert.deepEqual(faults, [])
  })

  longTest('allows a collection to be looked up, and the inbox shows its use', async (t) => {
    const shop = await openShop()
    await shop.send('POST /collections', { name: 'messages' })
    await shop.send('POST /collections', { name: 'products' })
    const product = { name: 'Gazelle Chamonix', price: 899, purchase_price: 512 }
    await shop.send('POST /collections/products/documents', product)
    const { page, faults } = await open(t, 390)
    await visit(page, shop.path)
    await page.getByRole('button', { name: 'Allow a collection' }).click()
    const dialog = page.getByRole('dialog', { name: 'Allow a collection' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Choose a collection and at least one field.').waitFor()
    await dialog.getByRole('combobox', { name: 'Collection' }).click()
    await page.getByRole('option', { name: 'products' }).click()
    await dialog.getByLabel('Fields it may share').fill('name, price')
    await saveScreenshot(page, 'knowledge-tools-dialog')
    await assertFit(page, 390)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('name, price').waitFor()
    await page.getByRole('combobox', { name: 'Write messages of visitors to' }).click()
    await page.getByRole('option', { name: 'messages' }).click()
    await eventually(
      async () => (await shop.send('GET /assistant/tools')).messages_collection === 'messages',
    )
    const { look_ups } = await shop.send('GET /assistant/tools')
    assert.deepEqual(look_ups, [{ collection: 'products', fields: ['name', 'price'], match: [] }])
    const message = 'Is the Gazelle Chamonix in stock?'
    const { conversation } = await shop.send('POST /conversations', { message })
    await page.reload()
    await page.getByText('Looked up 1 of').waitFor()
    await saveScreenshot(page, 'knowledge-tools-390')
    await assertFit(page, 390)
    // Its heading is hidden at this width, so this does not wait for it.
    const chat = shop.path.replace('/knowledge', `/conversations/${conversation.id}`)
    await page.goto(`${fixture.url}/portal/app${chat}`)
    await page.getByText('Looked up products: done (1)').waitFor()
    await saveScreenshot(page, 'inbox-tools-390')
    await assertFit(page, 390)
    await visit(page, shop.path)
    await page.getByRole('button', { name: 'Stop looking up products' }).click()
    await page.getByText('It looks nothing up yet.').waitFor()
    assert.deepEqual((await shop.send('GET /assistant/tools')).look_ups, [])
    assert.deepEqual(faults, [])
  })
})

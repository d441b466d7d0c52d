/** Tests of the page of the media library in a real browser. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { mediaFixture, newRecording } from '../../../test/fixtures/media/media.ts'
import { assertFit } from '../../../test/fixtures/portal/fit.ts'
import { openPortalBrowser, saveScreenshot } from '../../../test/fixtures/portal/portal-browser.ts'

const { fixture, newProject, open, visit } = await openPortalBrowser('lotte@salon.example')
const project_id = await newProject('Salon Lotte')
const key = await fixture.newKey({ project_id })
const { ready } = mediaFixture(fixture)
const path = `/projects/${project_id}/media?mode=test`

let pictures = 0

/** Creates a picture with unique bytes: a gradient of two hues. */
function newPhoto(): Promise<Buffer> {
  pictures += 1
  const hue = (pictures * 67) % 360
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900"><defs>
    <linearGradient id="g" x2="1" y2="1"><stop stop-color="hsl(${hue} 55% 62%)"/>
    <stop offset="1" stop-color="hsl(${(hue + 60) % 360} 60% 32%)"/></linearGradient></defs>
    <rect width="1200" height="900" fill="url(#g)"/>
    <circle cx="${300 + ((pictures * 130) % 700)}" cy="380" r="210" fill="hsl(${hue} 70% 84%)"/></svg>`
  return sharp(Buffer.from(svg)).jpeg().toBuffer()
}

const names = ['terrace.jpg', 'wedding-hair.jpg', 'salon.jpg', 'colours.jpg', 'team.jpg']
const photos: any[] = []
for (const filename of names) photos.push(await ready(await newPhoto(), { key, filename }))
await ready(newRecording(3), { key, filename: 'voicemail.wav', content_type: 'audio/wav' })
const prices = { key, filename: 'prices.pdf', content_type: 'application/pdf' }
await ready(Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'), prices)

async function send(route: string, body: unknown) {
  const answer = await fixture.call(route, { key, body })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

const [shown] = photos
const site = await send('POST /sites', {
  slug: 'salon-lotte',
  visibility: 'unlisted',
  files: [{ path: 'index.html', content: '<!doctype html><title>Salon Lotte</title><h1>Hi</h1>' }],
  media: [{ media_id: shown.id, path: 'pictures/terrace.jpg' }],
})
await send(`PATCH /media/${shown.id}`, { alt: 'The terrace in the evening', folder: 'outside' })

/** Waits until every picture that the page shows is loaded. */
async function showPictures(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const { images }: { images: Iterable<{ complete: boolean }> } = Object(globalThis).document
    return [...images].every(({ complete }) => complete)
  })
}

describe('the page of the media library', () => {
  test('uploads files with progress, and shows which file was refused', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.locator('input[data-kind=files]').setInputFiles([
      { name: 'opening.jpg', mimeType: 'image/jpeg', buffer: await newPhoto() },
      {
        name: 'menu.png',
        mimeType: 'image/png',
        buffer: (await newPhoto()).subarray(0, 500),
      },
    ])
    const tray = page.getByRole('region', { name: 'Uploads and downloads' })
    await tray.getByText('2 files').waitFor()
    await page.getByRole('button', { name: 'opening.jpg', exact: true }).waitFor()
    await tray.getByText('Failed').waitFor({ timeout: 8000 })
    await saveScreenshot(page, 'media-uploaded')
    await assertFit(page, 1440)
    const { body } = await fixture.call('GET /media?q=opening', { key })
    const [{ status, source }] = body.data
    assert.deepEqual([status, source], ['ready', 'portal'])
    const broken = await fixture.call('GET /media?q=half', { key })
    assert.deepEqual(faults, [])
    for (const { id } of [...body.data, ...broken.body.data]) {
      await fixture.call(`DELETE /media/${id}`, { key })
    }
  })

  test('finds files by words and by kind', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByRole('searchbox').fill('wedding')
    await page.getByRole('button', { name: 'terrace.jpg', exact: true }).waitFor({
      state: 'detached',
    })
    await page.getByRole('button', { name: 'wedding-hair.jpg', exact: true }).waitFor()
    await page.getByRole('searchbox').fill('nothing like this')
    await page.getByText('No file matches').waitFor()
    await page.getByRole('searchbox').fill('')
    await page.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'Audio' }).click()
    await page
      .getByRole('button', { name: 'salon.jpg', exact: true })
      .waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'voicemail.wav', exact: true }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('describes a file, shows where it is used, and copies a link', async (t) => {
    const { page, faults } = await open(t, 1440)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await visit(page, path)
    await page.getByRole('button', { name: 'terrace.jpg', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'File' })
    await drawer.getByText('pictures/terrace.jpg').waitFor()
    await drawer.getByRole('link', { name: 'Salon Lotte' }).waitFor()
    assert.equal(await drawer.getByRole('button', { name: 'Delete' }).isDisabled(), true)
    await drawer.getByRole('textbox', { name: 'Description' }).fill('Our terrace')
    await drawer.getByRole('textbox', { name: /^Tags/ }).fill('summer, evening')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The file is saved.').first().waitFor()
    const { body } = await fixture.call(`GET /media/${shown.id}`, { key })
    assert.deepEqual(
      [body.alt, body.tags, body.used_on[0].site_id],
      ['Our terrace', ['summer', 'evening'], site.id],
    )
    await drawer.getByRole('button', { name: '640 px wide' }).click()
    await page.getByText('The link is copied.').first().waitFor()
    const link = String(await page.evaluate('navigator.clipboard.readText()'))
    const copy = await fetch(link)
    assert.equal(copy.headers.get('content-type'), 'image/webp')
    await saveScreenshot(page, 'media-drawer')
    await assertFit(page, 1440)
    assert.deepEqual(faults, [])
  })

  test('deletes the selected files, except those that a site shows', async (t) => {
    const gone = await ready(await newPhoto(), { key, filename: 'old.jpg' })
    const { page } = await open(t, 390)
    await visit(page, path)
    await page.getByRole('checkbox', { name: 'Select old.jpg' }).click()
    await page.getByRole('checkbox', { name: 'Select terrace.jpg' }).click()
    await page.getByText('2 selected').waitFor()
    await saveScreenshot(page, 'media-selected')
    await assertFit(page, 390)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1 file was not deleted.').first().waitFor()
    assert.equal((await fixture.call(`GET /media/${gone.id}`, { key })).status, 404)
    assert.equal((await fixture.call(`GET /media/${shown.id}`, { key })).status, 200)
  })

  for (const { width, dark } of [
    { width: 390, dark: true },
    { width: 390, dark: false },
    { width: 1440, dark: true },
    { width: 1440, dark: false },
  ]) {
    const look = `${width}-${dark ? 'dark' : 'light'}`
    test(`fits the window at ${look}`, async (t) => {
      const { page, faults } = await open(t, width, { dark })
      await visit(page, path)
      await showPictures(page)
      await saveScreenshot(page, `media-${look}`)
      await assertFit(page, width)
      await page
        .getByRole('button', { name: dark ? 'voicemail.wav' : 'team.jpg', exact: true })
        .click()
      await page.getByRole('dialog').getByText('Added by').waitFor()
      await showPictures(page)
      await saveScreenshot(page, `media-drawer-${look}`)
      await assertFit(page, width)
      assert.deepEqual(faults, [])
    })
  }
})

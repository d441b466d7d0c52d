/** Tests of the page of the media library in a real browser. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { mediaFixture, newRecording } from '../../../../test/fixtures/media/media.ts'
import { longTest } from '../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../test/fixtures/portal/portal-browser.ts'

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
      { name: 'menu.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ menu') },
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
    assert.deepEqual(faults, [])
    for (const { id } of body.data) await fixture.call(`DELETE /media/${id}`, { key })
  })

  longTest('finds files by words and by kind', async (t) => {
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
    const kept = page.getByRole('dialog', { name: '1 file was not deleted' })
    await kept.getByText('terrace.jpg').waitFor()
    await kept.getByRole('link', { name: 'Salon Lotte' }).waitFor()
    await saveScreenshot(page, 'media-kept')
    assert.equal((await fixture.call(`GET /media/${gone.id}`, { key })).status, 404)
    assert.equal((await fixture.call(`GET /media/${shown.id}`, { key })).status, 200)
  })

  longTest(
    'sets the focal point by a click and by keys, and shows crops and tiles around it',
    async (t) => {
      const { page, faults } = await open(t, 1440)
      await visit(page, path)
      await page.getByRole('button', { name: 'team.jpg', exact: true }).click()
      const drawer = page.getByRole('dialog', { name: 'File' })
      const point = drawer.getByRole('slider', { name: 'Focal point' })
      await drawer.getByRole('textbox', { name: 'Description' }).fill('Not yet saved')
      const { width = 0, height = 0 } = (await point.boundingBox()) ?? {}
      const saved = () => page.waitForResponse((answer) => answer.request().method() === 'PATCH')
      let answer = saved()
      await point.click({ position: { x: width / 4, y: height / 2 } })
      assert.deepEqual((await (await answer).json()).focal_point, { x: 0.25, y: 0.5 })
      answer = saved()
      await point.press('Shift+ArrowDown')
      await point.press('ArrowRight')
      assert.deepEqual((await (await answer).json()).focal_point, { x: 0.26, y: 0.6 })
      assert.equal(
        await point.getAttribute('aria-valuetext'),
        '26 % from the left, 60 % from the top',
      )
      const description = drawer.getByRole('textbox', { name: 'Description' })
      assert.equal(await description.inputValue(), 'Not yet saved')
      await saveScreenshot(page, 'media-focal-point')
      await page.keyboard.press('Escape')
      const tile = page.getByRole('listitem').filter({ hasText: 'team.jpg' }).locator('img').last()
      assert.equal(await tile.evaluate((image: any) => image.style.objectPosition), '26% 60%')
      assert.deepEqual(faults, [])
    },
  )

  longTest('replaces a picture and publishes the site that shows it', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByRole('button', { name: 'terrace.jpg', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'File' })
    const bytes = await newPhoto()
    await drawer
      .locator('input[data-kind=file]')
      .setInputFiles({ name: 'new-terrace.jpg', mimeType: 'image/jpeg', buffer: bytes })
    await page.getByText('The file is replaced, and 1 site is published with it.').first().waitFor()
    const { body } = await fixture.call(`GET /media/${shown.id}`, { key })
    assert.deepEqual(
      [body.filename, body.sha256 === shown.sha256, body.used_on.length],
      ['terrace.jpg', false, 1],
    )
    assert.equal((await fixture.call(`GET /sites/${site.id}`, { key })).body.version, 2)
    assert.deepEqual(faults, [])
  })

  longTest('uploads many files, lists those that failed, and tries them again', async (t) => {
    const { page } = await open(t, 1440)
    await visit(page, path)
    let isRefusing = true
    // The server refuses two of the files as if its storage were full.
    await page.route('**/media/uploads', async (route) => {
      const { files } = route.request().postDataJSON()
      const refuses = files.some(({ filename }: any) => /^bulk-1[01]\./.test(filename))
      if (!isRefusing || !refuses) return route.continue()
      const problem = { type: 'https://a.example/errors/plan_limit_reached', status: 409 }
      const json = { ...problem, user_message: 'Your storage is full.' }
      await route.fulfill({ status: 409, json })
    })
    let is_lost = false
    await page.route('**/media/uploads/*/complete', async (route) => {
      if (is_lost) return route.continue()
      is_lost = true
      return route.abort()
    })
    const files = Array.from({ length: 30 }, (_, n) => ({
      name: `bulk-${n}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from(`Text ${n} of many`),
    }))
    await page.locator('input[data-kind=files]').setInputFiles(files)
    const tray = page.getByRole('region', { name: 'Uploads and downloads' })
    await tray.getByText('30 files').waitFor()
    // The upload continues on another page.
    await page.getByRole('link', { name: 'Data', exact: true }).first().click()
    await tray.getByText('28 of 30 done').waitFor()
    await tray.getByText('2 failed').waitFor()
    assert.equal(await tray.getByText('Your storage is full.').count(), 2)
    await saveScreenshot(page, 'media-many-failed')
    isRefusing = false
    await tray.getByRole('button', { name: 'Try 2 files again' }).click()
    await tray.getByText('2 files').waitFor()
    await tray.getByRole('link', { name: 'Show' }).click()
    await page.getByRole('searchbox').fill('bulk-1')
    await page.getByRole('button', { name: 'bulk-10.txt', exact: true }).waitFor()
    await page.getByRole('button', { name: 'bulk-11.txt', exact: true }).waitFor()
  })

  longTest('selects ranges and all files, and moves, tags and deletes them', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByRole('searchbox').fill('bulk-')
    await page.getByRole('button', { name: 'terrace.jpg' }).waitFor({ state: 'detached' })
    const tile = (place: number) => page.locator(`li[aria-posinset="${place}"] button`).first()
    await tile(2).click({ modifiers: ['Control'] })
    await tile(5).click({ modifiers: ['Shift'] })
    await page.getByText('4 selected').waitFor()
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByText('5 selected').waitFor()
    await page.getByRole('button', { name: 'Move' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').or(dialog.getByRole('textbox')).fill('texts/old')
    await saveScreenshot(page, 'media-move')
    await dialog.getByRole('button', { name: 'Move' }).click()
    await page.getByText('5 files are changed.').first().waitFor()
    const moved = await fixture.call('GET /media?folder=texts&limit=100', { key })
    assert.equal(moved.body.data.length, 5)
    await tile(1).focus()
    await page.keyboard.press('Control+a')
    await page.getByText('30 selected').waitFor()
    await page.getByRole('button', { name: 'Tags' }).click()
    await dialog.getByLabel('Add tags').fill('bulk, text')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('30 files are changed.').first().waitFor()
    const tagged = await fixture.call('GET /media?tag=bulk&limit=100', { key })
    assert.deepEqual(tagged.body.data.at(0).tags, ['bulk', 'text'])
    await page.getByRole('button', { name: 'Select all' }).click()
    await page.getByText('30 selected').waitFor()
    await tile(1).focus()
    await page.keyboard.press('Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No file matches').waitFor()
    assert.deepEqual((await fixture.call('GET /media?tag=bulk', { key })).body.data, [])
    assert.deepEqual(faults, [])
  })

  for (const width of widthsOfStates) {
    longTest(`fits the window at ${width}`, async (t) => {
      const { page, faults } = await open(t, width)
      await visit(page, path)
      await showPictures(page)
      await saveScreenshot(page, `media-${width}`)
      await assertFit(page, width)
      await page
        .getByRole('button', { name: width > 1000 ? 'voicemail.wav' : 'team.jpg', exact: true })
        .click()
      await page.getByRole('dialog').getByText('Added by').waitFor()
      await showPictures(page)
      await saveScreenshot(page, `media-drawer-${width}`)
      await assertFit(page, width)
      assert.deepEqual(faults, [])
    })
  }
})

/**
 * `npm run bench -- portal`: the portal in a real browser. First load by route, the start page on a
 * processor that is four times slower, scrolling a grid of 10,000 documents, a list after a click on
 * a warm page, and memory after many clicks.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CDPSession } from 'playwright-core'
import { openBrowser } from '../../test/fixtures/portal/browser.ts'
import { startServer } from '../../test/fixtures/server-process.ts'
import { readOptions } from '../support/options.ts'
import { openPortalPage, shown, signInOnce } from '../support/portal-page.ts'
import { begin, type Cell, type ResultTable } from '../support/result.ts'
import { percentile, rounded, spread } from '../support/spread.ts'

const routes = ['', '/data', '/data/bookings', '/calls', '/numbers', '/sites', '/media', '/billing']
const SLOWER = 4
const DOCUMENTS = 10_000
const BATCH = 500
/** Each page of documents is a request, and a person may send 120 in a minute. */
const PAGE_WAIT_MS = 700
const FRAME_PX = 300
const FRAMES = 200
const CLICKS = 200
const CLICK_WAIT_MS = 600
const MB = 1024 * 1024

const options = readOptions()
const finish = begin('portal', options)
const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'))
// Without a folder of its own the server builds the portal, as at its first start.
const server = await startServer(folder, {
  HOMEPORT_LOG_LEVEL: 'error',
  HOMEPORT_PORTAL_DIR: '',
})
const browser = await openBrowser()
const state = await signInOnce(browser, server)
const { base_url = '', project_id = '', test_key = '' } = server.banner
const origin = new URL(base_url).origin
const project = `${origin}/portal/app/projects/${project_id}`

/** A page with an empty cache, signed in. */
const open = () => openPortalPage(browser, { storageState: state })

async function send(route: string, body: object): Promise<void> {
  const response = await fetch(`${origin}/api/v1${route}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${test_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${route}: ${await response.text()}`)
}

async function addDocuments(): Promise<void> {
  const properties = {
    name: { type: 'string' },
    date: { type: 'string', format: 'date' },
    guests: { type: 'integer' },
  }
  const schema = { type: 'object', properties }
  await send('/collections', { name: 'bookings', title: 'Bookings', schema })
  for (let from = 0; from < DOCUMENTS; from += BATCH) {
    const operations = Array.from({ length: BATCH }, (_, at) => ({
      op: 'create',
      data: { name: `Guest ${from + at}`, date: '2026-12-01', guests: 1 + (at % 9) },
    }))
    await send('/collections/bookings/documents/batch', { operations })
  }
}

/** Compressed bytes of scripts and styles until the page is shown. */
async function firstLoad(): Promise<ResultTable> {
  const rows: Cell[][] = []
  for (const route of routes) {
    const { page, session } = await open()
    const kinds = new Map<string, string>()
    let bytes = 0
    session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type))
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (['Script', 'Stylesheet'].includes(kinds.get(requestId) ?? '')) bytes += encodedDataLength
    })
    await page.goto(`${project}${route}?mode=test`)
    await shown(page)
    rows.push([route === '' ? '/' : route, rounded(bytes / 1000)])
    await page.context().close()
  }
  return {
    title: 'First load',
    about: 'Scripts and styles of a route with an empty cache, compressed by gzip.',
    columns: ['route', 'kB'],
    rows,
  }
}

async function startPage(): Promise<ResultTable> {
  const times: number[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    const { page, session } = await open()
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    const begun = performance.now()
    await page.goto(`${project}?mode=test`)
    await shown(page)
    // A menu that opens proves that the page answers.
    await page
      .getByRole('button', { name: /Account menu/ })
      .first()
      .click()
    await page.getByRole('menu').waitFor()
    times.push(performance.now() - begun)
    await page.context().close()
  }
  return {
    title: 'The start page on a slow processor',
    about: `From the address to an opened menu, with an empty cache and ${SLOWER} times slower scripts.`,
    columns: ['page', 'ms'],
    rows: [['/', spread(times)]],
  }
}

/** Loads all documents by scrolling, and then measures the time between frames. */
async function scrolling(): Promise<ResultTable> {
  const { page } = await open()
  await page.goto(`${project}/data/bookings?mode=test`)
  await shown(page)
  const grid = page.getByRole('grid')
  while ((await page.getByText(`${DOCUMENTS.toLocaleString('en')} documents`).count()) === 0) {
    await grid.evaluate((list: { scrollTop: number; scrollHeight: number }) => {
      list.scrollTop = list.scrollHeight
    })
    await page.waitForTimeout(PAGE_WAIT_MS)
  }
  const gaps: number[] = await page.evaluate(
    `new Promise((done) => {
      const list = document.querySelector('[role=grid]')
      const gaps = []
      let before = performance.now()
      list.scrollTop = 0
      const step = () => {
        const now = performance.now()
        gaps.push(now - before)
        before = now
        list.scrollTop += ${FRAME_PX}
        if (gaps.length < ${FRAMES}) requestAnimationFrame(step)
        else done(gaps.slice(1))
      }
      requestAnimationFrame(step)
    })`,
  )
  await page.context().close()
  return {
    title: `Scrolling ${DOCUMENTS.toLocaleString('en')} documents`,
    about: `Time between frames in ms, at ${FRAME_PX} pixels a frame.`,
    columns: ['median', 'p95', 'longest'],
    rows: [[percentile(gaps, 0.5), percentile(gaps, 0.95), Math.max(...gaps)].map(rounded)],
  }
}

/** The sidebar leads to both pages in turn; data and code of both are in memory. */
async function clicks(): Promise<ResultTable[]> {
  const { page, session } = await open()
  await page.goto(`${project}/data?mode=test`)
  await shown(page)
  const times: number[] = []
  const goTo = async (name: string) => {
    const begun = performance.now()
    await page.getByRole('link', { name, exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    times.push(performance.now() - begun)
  }
  for (const name of ['Calls', 'Data']) await goTo(name)
  times.length = 0
  const before = await heapMb(session)
  for (let click = 0; click < CLICKS; click += 1) {
    await goTo(click % 2 === 0 ? 'Calls' : 'Data')
    await page.waitForTimeout(CLICK_WAIT_MS)
  }
  const after = await heapMb(session)
  await page.context().close()
  return [
    {
      title: 'A list after a click on a warm page',
      columns: ['median ms', 'p95 ms'],
      rows: [[rounded(percentile(times, 0.5)), rounded(percentile(times, 0.95))]],
    },
    {
      title: `Memory of the page before and after ${CLICKS} clicks`,
      about: 'JavaScript heap in MB, after a garbage collection.',
      columns: ['before', 'after'],
      rows: [[before, after]],
    },
  ]
}

async function heapMb(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return rounded(usedSize / MB)
}

const tables: ResultTable[] = []
if (options.wants('load') || options.wants('scroll')) await addDocuments()
if (options.wants('load')) tables.push(await firstLoad())
if (options.wants('start')) tables.push(await startPage())
if (options.wants('scroll')) tables.push(await scrolling())
if (options.wants('clicks')) tables.push(...(await clicks()))
finish({ generator: 'Chromium', tables })
await browser.close()
await server.stop()
rmSync(folder, { recursive: true })

/** The call-plan editor on the page of a number, in a real browser. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../../../../../test/fixtures/eventually.ts'
import { longTest } from '../../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../../test/fixtures/portal/fit.ts'
import { newRecording } from '../../../../../test/fixtures/media/media.ts'
import { newSession } from '../../../../../test/fixtures/portal/sessions.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../../test/fixtures/portal/portal-browser.ts'

const owner = 'lea@praktijk.example'
const { fixture, newProject, open, visit } = await openPortalBrowser(owner)

const office = {
  entry: 'hours',
  nodes: {
    hours: {
      id: 'hours',
      type: 'openingHours',
      source: 'custom',
      schedule: {
        timezone: 'Europe/Amsterdam',
        week: { mon: [{ from: '09:00', to: '17:30' }], tue: [{ from: '09:00', to: '12:00' }] },
      },
      onOpen: 'menu',
      onClosed: 'closed',
    },
    menu: {
      id: 'menu',
      type: 'menu',
      label: 'Reception',
      prompt: { text: 'Press 1 for appointments, 2 for anything else.', language: 'en' },
      options: { 1: 'front', 2: 'assistant' },
      onNoInput: 'assistant',
    },
    front: {
      id: 'front',
      type: 'forward',
      label: 'Front desk',
      strategy: 'sequential',
      targets: [
        { kind: 'external', e164: '+31201234567', label: 'Lea' },
        { kind: 'external', e164: '+31612345678', label: 'Mobile' },
      ],
      ringSeconds: 20,
      onNoAnswer: 'assistant',
    },
    closed: {
      id: 'closed',
      type: 'readText',
      text: 'We are closed. Our assistant can take a message.',
      next: 'assistant',
    },
    assistant: { id: 'assistant', type: 'ai_agent', onTransfer: 'front', 'x-team': 'practice' },
  },
}

interface Ready {
  project_id: string
  key: string
  number_id: string
  path: string
}

/** A project whose test number has a plan. */
async function newNumber(plan: object | null = office): Promise<Ready> {
  const project_id = await newProject('Praktijk Lea')
  const key = await fixture.newKey({ project_id })
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const number = await fixture.call('POST /numbers', { key, headers, body: {} })
  const settings = { name: 'Sam', greeting: 'Praktijk Lea, good day.', languages: ['en'] }
  await fixture.call('PUT /assistant', { key, body: settings })
  const number_id = String(number.body.id)
  if (plan !== null) {
    const put = await fixture.call(`PUT /numbers/${number_id}/call-plan`, { key, body: plan })
    assert.equal(put.status, 200, put.text)
  }
  const path = `/projects/${project_id}/numbers/${number_id}?mode=test`
  return { project_id, key, number_id, path }
}

const planOf = async ({ key, number_id }: Ready) =>
  (await fixture.call(`GET /numbers/${number_id}/call-plan`, { key })).body

/** Waits until the graph is drawn and the plan is checked. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Graph of the call plan' }).waitFor()
  await page.locator('.react-flow__edge').first().waitFor({ state: 'attached' })
  await checked(page)
}

async function checked(page: Page): Promise<void> {
  await page.getByText('Checking…').waitFor({ state: 'detached' })
}

/** Whether each step lies inside the frame of the graph. */
async function showsAllSteps(page: Page): Promise<boolean> {
  const boxes = await Promise.all(
    [
      page.getByRole('region', { name: 'Graph of the call plan' }),
      ...(await page.locator('.react-flow__node').all()),
    ].map((one) => one.boundingBox()),
  )
  const [frame, ...steps] = boxes.map((box) => box ?? { x: -1, y: -1, width: 0, height: 0 })
  assert.ok(frame)
  return steps.every(
    ({ x, y, width, height }) =>
      x >= frame.x &&
      y >= frame.y &&
      x + width <= frame.x + frame.width &&
      y + height <= frame.y + frame.height,
  )
}

describe('the call-plan editor', () => {
  for (const width of widthsOfStates) {
    longTest(`fits at ${width}`, async (t) => {
      const { path } = await newNumber()
      const { page, faults } = await open(t, width)
      await visit(page, path)
      if (width > 1000) {
        await settled(page)
        await saveScreenshot(page, `plan-graph-${width}`)
        await assertFit(page, width)
        await page.locator('.react-flow__node[data-id=front]').click()
        await page
          .getByRole('region', { name: 'Step', exact: true })
          .getByText('Phones to ring')
          .first()
          .waitFor()
        await saveScreenshot(page, `plan-graph-step-${width}`)
        await assertFit(page, width)
        await page.getByRole('button', { name: 'JSON' }).click()
        await saveScreenshot(page, `plan-graph-json-${width}`)
        await assertFit(page, width)
        await page.getByRole('button', { name: 'JSON' }).click()
        await page.getByRole('button', { name: 'Outline' }).click()
      }
      await page.getByRole('list', { name: 'Steps of the plan' }).waitFor()
      await checked(page)
      await saveScreenshot(page, `plan-outline-${width}`)
      await assertFit(page, width)
      await page
        .getByRole('button', { name: /Opening hours/ })
        .first()
        .click()
      await page.getByText('Time zone').waitFor()
      await saveScreenshot(page, `plan-outline-step-${width}`)
      await assertFit(page, width)
      assert.deepEqual(faults, [])
    })
  }
})

const mailbox = {
  entry: 'tune',
  nodes: {
    tune: { id: 'tune', type: 'playAudio', mediaId: '', next: 'sms' },
    sms: { id: 'sms', type: 'sendSms', text: 'We call {{caller}} back today.', next: 'leave' },
    leave: { id: 'leave', type: 'voicemail', greeting: { text: 'Please speak.' }, next: 'jump' },
    jump: { id: 'jump', type: 'goto', plan: 'project' },
  },
}

/** Clicks a step until its form is there: the drawing moves while it makes room for a form. */
async function choose(page: Page, id: string, label: string): Promise<void> {
  await eventually(async () => {
    await page.locator(`.react-flow__node[data-id=${id}]`).click()
    return page.getByLabel(label).isVisible()
  })
}

describe('steps that play audio, send a text, take a voicemail and jump', () => {
  for (const width of [1440, 390]) {
    const declare = width === 390 ? longTest : test
    declare(`are edited at ${width}, with an audio file that is uploaded there`, async (t) => {
      const ready = await newNumber(null)
      const { page, faults } = await open(t, width)
      await visit(page, ready.path)
      if (width > 1000) {
        await page.getByRole('button', { name: 'JSON' }).click()
        await page.getByRole('textbox', { name: 'Call plan as JSON' }).fill(JSON.stringify(mailbox))
        await settled(page)
        await page.locator('.react-flow__node[data-id=tune]').click()
        await page.getByRole('button', { name: 'JSON' }).click()
      } else {
        await page.getByRole('button', { name: 'Add step' }).click()
        await page.getByRole('menuitem', { name: 'Plays audio' }).click()
      }
      await page.getByText('Choose an MP3 or WAV file').first().waitFor()
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Upload audio' }).click()
      const welcome = { name: 'welcome.wav', mimeType: 'audio/wav', buffer: newRecording() }
      await (await chooser).setFiles(welcome)
      const file = page.getByLabel('Audio file')
      await file.getByRole('option', { name: 'welcome.wav' }).waitFor({ state: 'attached' })
      await eventually(async () => (await file.inputValue()) !== '')
      await checked(page)
      await saveScreenshot(page, `plan-audio-${width}`)
      await assertFit(page, width)
      if (width > 1000) {
        await choose(page, 'leave', 'Longest message, in seconds')
        await saveScreenshot(page, `plan-voicemail-${width}`)
        await choose(page, 'jump', 'Or in another plan')
        await saveScreenshot(page, `plan-goto-${width}`)
        await page.getByText('No problems').waitFor()
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByText('The call plan is saved.').first().waitFor()
        const { plan } = await planOf(ready)
        assert.match(plan.nodes.tune.mediaId, /^[0-9a-f-]{36}$/)
      }
      assert.deepEqual(faults, [])
    })
  }
})

describe('a call plan in the editor', () => {
  test('is made from a ready-made plan by keyboard alone, and saved', async (t) => {
    const ready = await newNumber(null)
    const { page, faults } = await open(t, 1440)
    await visit(page, ready.path)
    await page.getByText('This number has no plan of its own yet').waitFor()
    await page.getByRole('button', { name: 'Outline' }).press('Enter')
    await page.getByRole('button', { name: 'Start from' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Ring me first, then the assistant' }).press('Enter')
    const number = page.getByLabel('Phone number')
    await page.getByText('This is no phone number').first().waitFor()
    await saveScreenshot(page, 'plan-fault')
    assert.equal(await number.getAttribute('aria-invalid'), 'true')
    assert.equal(await page.getByRole('button', { name: 'Save' }).isDisabled(), true)
    await number.focus()
    await page.keyboard.type('+31 20 123 4567')
    await page.getByText('No problems').waitFor()
    const busy = page.getByRole('combobox', { name: 'Ring me: No answer' })
    await busy.focus()
    assert.equal(await busy.inputValue(), 'step:assistant')
    await page.getByRole('button', { name: 'Add step' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Reads a text' }).press('Enter')
    await page.locator('[aria-label="Step"]:focus').waitFor()
    await page.getByLabel('Text to read').focus()
    await page.keyboard.type('One moment please.')
    await page.getByRole('status').getByText('1 warning').waitFor()
    await page.getByLabel('Then', { exact: true }).selectOption({ label: '1. Ring me' })
    await page.getByRole('button', { name: 'More' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Make it the first step' }).press('Enter')
    await page.getByText('No problems').waitFor()
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByText('The call plan is saved.').first().waitFor()
    const { plan, version } = await planOf(ready)
    assert.equal(version, 1)
    assert.equal(plan.entry, 'text')
    assert.deepEqual(plan.nodes.text, {
      id: 'text',
      type: 'readText',
      text: 'One moment please.',
      next: 'ring',
    })
    assert.equal(plan.nodes.ring.targets[0].e164, '+31201234567')
    await assertFit(page, 1440)
    assert.deepEqual(faults, [])
  })

  longTest('is connected by dragging, to a step and to a new one, and undone', async (t) => {
    const ring = { ...office.nodes.front, id: 'ring', onNoAnswer: undefined }
    const nodes = { ring, assistant: { id: 'assistant', type: 'ai_agent' } }
    const ready = await newNumber({ entry: 'ring', nodes })
    const { page, faults } = await open(t, 1440)
    await visit(page, ready.path)
    await page.locator('.react-flow__node[data-id=ring]').click()
    const dot = page.locator('.react-flow__node[data-id=ring] [data-handleid="/onNoAnswer"]')
    await dot.waitFor()
    await drag(dot, page.locator('.react-flow__node[data-id=assistant] .plan-in'))
    const edge = (id: string) => page.locator(`.react-flow__edge[data-id="${id}"]`)
    await edge('ring#/onNoAnswer').waitFor({ state: 'attached' })
    const busy = page.locator('.react-flow__node[data-id=ring] [data-handleid="/onBusy"]')
    await drag(busy, page.locator('.react-flow__pane'), { x: 300, y: 60 })
    const types = page.getByRole('group', { name: 'Add the next step' })
    await types.waitFor()
    await saveScreenshot(page, 'plan-drop')
    await types.getByRole('button', { name: 'Hangs up' }).click()
    await edge('ring#/onBusy').waitFor({ state: 'attached' })
    await page.keyboard.press('Control+z')
    await page.locator('.react-flow__node[data-id=end]').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Redo' }).click()
    await page.locator('.react-flow__node[data-id=end]').waitFor()
    await eventually(() => showsAllSteps(page))
    await page.getByText('No problems').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The call plan is saved.').first().waitFor()
    const { plan } = await planOf(ready)
    assert.deepEqual([plan.nodes.ring.onNoAnswer, plan.nodes.ring.onBusy], ['assistant', 'end'])
    assert.deepEqual(faults, [])
  })

  longTest('loses a step, its connections and a connection by the Delete key', async (t) => {
    const ready = await newNumber()
    const { page, faults } = await open(t, 1440)
    await visit(page, ready.path)
    await page.locator('.react-flow__node[data-id=closed]').focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Text to read').waitFor()
    await page.locator('.react-flow__node[data-id=closed]').focus()
    await page.keyboard.press('Delete')
    await page.locator('.react-flow__node[data-id=closed]').waitFor({ state: 'detached' })
    // The edge was required, so the check asks for another one.
    await page.getByText('Fill this in.').first().waitFor()
    await page.locator('.react-flow__edge[data-id="menu#/onNoInput"]').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Delete')
    await page
      .locator('.react-flow__edge[data-id="menu#/onNoInput"]')
      .waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  })

  longTest(
    'is edited as JSON in both directions, with unknown keys kept and explained',
    async (t) => {
      const ready = await newNumber()
      const { page, faults } = await open(t, 1440)
      await visit(page, ready.path)
      await page.getByRole('button', { name: 'JSON' }).click()
      const text = page.getByRole('textbox', { name: 'Call plan as JSON' })
      const before = await text.inputValue()
      await text.fill(`${before}}`)
      await page.getByText('The JSON cannot be read').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Save' }).isDisabled(), true)
      const written = before.replace('"label": "Front desk",', '"label": "Desk",  "timeout": 12,')
      await text.fill(written)
      await page
        .locator('.react-flow__node[data-id=front]')
        .getByText('Desk', { exact: true })
        .waitFor()
      await page.getByText('“timeout” has no effect in this step.').first().waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('The call plan is saved.').first().waitFor()
      const stored = await fixture.call(`GET /numbers/${ready.number_id}/call-plan`, ready)
      assert.ok(stored.text.includes('"label": "Desk",  "timeout": 12,'), stored.text)
      await page.getByRole('button', { name: 'JSON' }).click()
      await page.locator('.react-flow__node[data-id=front]').click()
      await page.getByText('Other keys').waitFor()
      await saveScreenshot(page, 'plan-unknown-key')
      await page.getByLabel('Seconds to ring').fill('15')
      await page.getByText('Unsaved changes').waitFor()
      await page.getByRole('status').getByText('1 warning').waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Version 3').waitFor()
      const { plan } = await planOf(ready)
      assert.deepEqual([plan.nodes.front.timeout, plan.nodes.front.ringSeconds], [12, 15])
      assert.equal(plan.nodes.assistant['x-team'], 'practice')
      await assertFit(page, 1440)
      assert.deepEqual(faults, [])
    },
  )

  longTest('shows a conflict step by step, and saves what the person chooses', async (t) => {
    const ready = await newNumber()
    const { page, faults } = await open(t, 1440)
    await visit(page, ready.path)
    await page.locator('.react-flow__node[data-id=front]').click()
    await page.getByLabel('Seconds to ring').fill('40')
    await page.getByText('Unsaved changes').waitFor()
    const theirs = structuredClone(office)
    theirs.nodes.front.ringSeconds = 10
    theirs.nodes.closed.text = 'Closed for the holidays.'
    const put = { key: ready.key, body: theirs }
    await fixture.call(`PUT /numbers/${ready.number_id}/call-plan`, put)
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'This plan was changed meanwhile' })
    await dialog.getByText('Changed by both').waitFor()
    await dialog.getByText('Changed by them').waitFor()
    await saveScreenshot(page, 'plan-conflict')
    // The failed request is written to the console by the browser.
    assert.match(faults.splice(0).join(), /412/)
    await assertFit(page, 1440)
    const front = dialog.getByRole('radiogroup', { name: 'What stays of Front desk' })
    assert.equal(await front.getByRole('radio', { name: 'Yours' }).isChecked(), true)
    const closed = dialog.getByRole('radiogroup', { name: 'What stays of Reads a text' })
    assert.equal(await closed.getByRole('radio', { name: 'Theirs' }).isChecked(), true)
    await dialog.getByRole('button', { name: 'Save this' }).click()
    await page.getByText('Version 3').waitFor()
    const { plan } = await planOf(ready)
    assert.equal(plan.nodes.front.ringSeconds, 40)
    assert.equal(plan.nodes.closed.text, 'Closed for the holidays.')
    assert.deepEqual(faults, [])
  })

  longTest('can be discarded, and asks before the page is left', async (t) => {
    const ready = await newNumber()
    const { page, faults } = await open(t, 1024)
    await visit(page, ready.path)
    await page.locator('.react-flow__node[data-id=front]').click()
    await page.getByLabel('Seconds to ring').fill('40')
    await page.getByRole('link', { name: 'Calls', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    const sure = page.getByRole('alertdialog', { name: 'Discard your changes?' })
    await sure.getByRole('button', { name: 'Discard changes' }).click()
    assert.equal(await page.getByLabel('Seconds to ring').inputValue(), '20')
    await page.getByRole('link', { name: 'Calls', exact: true }).click()
    await page.getByRole('heading', { name: 'Calls' }).waitFor()
    assert.deepEqual(faults, [])
  })

  longTest('says that the assistant is not set up, before it is saved', async (t) => {
    const project_id = await newProject('Praktijk Nieuw')
    const key = await fixture.newKey({ project_id })
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const { body } = await fixture.call('POST /numbers', { key, headers, body: {} })
    const { page, faults } = await open(t, 390)
    await visit(page, `/projects/${project_id}/numbers/${body.id}?mode=test`)
    await page.getByRole('button', { name: 'Start from' }).click()
    await page.getByRole('menuitem', { name: 'Assistant answers everything' }).click()
    await page.getByText('which is not set up yet').first().waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    assert.equal(await page.getByRole('button', { name: 'Save' }).isDisabled(), true)
    await saveScreenshot(page, 'plan-no-assistant')
    await assertFit(page, 390)
    assert.deepEqual(faults, [])
  })

  longTest('is shown to viewers, who cannot change it', async (t) => {
    const ready = await newNumber()
    const viewer = await viewerOf(ready.project_id)
    const { page, faults } = await open(t, 1440, { as: viewer })
    await visit(page, ready.path)
    await page.getByText('Members of the team can change the plan.').waitFor()
    await page.locator('.react-flow__node[data-id=front]').click()
    assert.equal(await page.getByLabel('Seconds to ring').isDisabled(), true)
    for (const name of ['Save', 'Add step', 'Release this number']) {
      assert.equal(await page.getByRole('button', { name }).count(), 0, name)
    }
    assert.deepEqual(faults, [])
  })

  longTest('is loaded with its page alone, and the graph with the first graph', async (t) => {
    const ready = await newNumber()
    const { page } = await open(t, 390)
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    const hasLoaded = (name: string) => loaded.some((path) => path.includes(`/assets/${name}-`))
    await visit(page, `/projects/${ready.project_id}/numbers?mode=test`)
    assert.equal(hasLoaded('plan-section'), false)
    await visit(page, ready.path)
    await page.getByRole('list', { name: 'Steps of the plan' }).waitFor()
    assert.deepEqual([hasLoaded('plan-section'), hasLoaded('graph')], [true, false])
    await page.getByRole('button', { name: 'Graph' }).click()
    await page.locator('.react-flow__node[data-id=front]').waitFor()
    assert.equal(hasLoaded('graph'), true)
  })

  longTest('is there in Dutch', async (t) => {
    const ready = await newNumber()
    const { page, faults } = await open(t, 1440)
    await page.evaluate("localStorage.setItem('homeport.language', 'nl')")
    await visit(page, ready.path)
    await page.getByText('Wat er gebeurt als mensen').waitFor()
    await page.locator('.react-flow__node[data-id=hours]').click()
    await page.getByText('Maandag', { exact: true }).first().waitFor()
    await page.getByText('Geen problemen').waitFor()
    await saveScreenshot(page, 'plan-dutch')
    await assertFit(page, 1440)
    assert.deepEqual(faults, [])
  })
})

/** A person who may only look at the project. */
async function viewerOf(project_id: string): Promise<string> {
  const email = `viewer-${project_id}@praktijk.example`
  const session = await newSession(fixture, owner)
  const body = { email, role: 'viewer' }
  const invited = await session.call(`POST /projects/${project_id}/invitations`, { body })
  assert.equal(invited.status, 201, invited.text)
  const guest = await newSession(fixture, email)
  const accepted = await guest.call(`POST /invitations/${invited.body.id}/accept`)
  assert.equal(accepted.status, 200, accepted.text)
  return email
}

/** Waits while the graph moves its steps into view. */
async function standsStill(place: Locator): Promise<void> {
  const frames = 'new Promise((done) => setTimeout(() => requestAnimationFrame(done), 100))'
  let before = ''
  await eventually(async () => {
    await place.page().evaluate(frames)
    const now = JSON.stringify(await place.boundingBox())
    const is_still = now === before
    before = now
    return is_still
  })
}

/** Drags from a dot to another element, or to a position in it. */
async function drag(from: Locator, to: Locator, position?: { x: number; y: number }) {
  const { mouse } = from.page()
  await standsStill(to)
  await from.hover()
  await mouse.down()
  await to.hover({ force: true, ...(position && { position }) })
  await mouse.up()
}

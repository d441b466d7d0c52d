/**
 * The form script: validates every <form data-collection="…" data-token="hm_pub_…"> of a page with
 * the schema of its collection, and sends it. It sends the same fields as the browser would without
 * a script.
 */
import { bare } from './bare.js'
import { solve } from './challenge.js'
import { newMarks } from './marks.js'
import { read } from './reading.js'
import { check } from './schema.js'
import { speakerFor } from './words.js'

const script = document.currentScript ?? document.querySelector('script[src*="/forms.js"]')
const root = new URL('/api/v1/public/collections/', script.src).href
const FILL_MS = 2100

const sheet = new CSSStyleSheet()
sheet.replaceSync(
  ':where(.hp-error){margin:.25em 0;color:#b3261e}:where(.hp-status:empty){display:none}' +
    '.hp-trap{position:absolute;left:-999em}',
)
document.adoptedStyleSheets.push(sheet)

const LARGE_BYTES = 100_000

/** Sends a form; `tell` gets the progress of a large one in tenths. Never rejects. */
const post = (address, body, tell) =>
  new Promise((done) => {
    const request = new XMLHttpRequest()
    request.open('POST', address)
    request.setRequestHeader('Accept', 'application/json')
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) =>
      total > LARGE_BYTES && tell(Math.floor((10 * loaded) / total))
    request.onloadend = () => done(request)
    request.send(body)
  })

/** The server requests of one form. */
const serverOf = (form) => {
  const token = form.dataset.token ?? form.elements.token?.value
  const address = (what) => `${root}${form.dataset.collection}/${what}?token=${token}`
  const get = async (what) => {
    const reply = await fetch(address(what))
    return reply.ok && reply.json()
  }
  let loaded
  return {
    describe: () =>
      get('form')
        .catch(() => {})
        .finally(() => (loaded = performance.now())),
    async send({ challenge, started }, body, tell) {
      body.set('hp_started', started)
      if (!body.has('hp_timezone'))
        body.set('hp_timezone', Intl.DateTimeFormat().resolvedOptions().timeZone)
      if (challenge) body.set('hp_challenge', await solve(await get('challenge')))
      // The server refuses forms that are sent within two seconds, as from a bot.
      await new Promise((done) => setTimeout(done, FILL_MS - (performance.now() - loaded)))
      return post(address('documents'), body, tell)
    },
  }
}

/** Maps the path of an error to a field of the page; '' if there is none. */
const placeIn = (places) => (path) => {
  const inside = [...places.keys()].find((key) => key.startsWith(`${path}/`))
  let key = path
  while (key && !places.has(key)) key = key.slice(0, key.lastIndexOf('/'))
  return key || (path && (inside ?? ''))
}

/** Shows status and errors of a form. */
const tellerOf = (form) => {
  const { say, is_english } = speakerFor(form)
  const marks = newMarks()
  const status = form.lastElementChild
  const show = (text, isFault) => {
    status.role = isFault ? 'alert' : 'status'
    status.textContent = text
  }
  const fail = () => {
    show(say('failed'), true)
    status.focus()
  }
  const reveal = (texts, places) => {
    marks.keep(new Map())
    for (const [key, elements] of places)
      if (texts.has(key)) marks.add(key, elements, texts.get(key))
    show(`${say('check')} ${texts.get('') ?? ''}`, true)
    const first = [...form.elements].find(({ ariaInvalid }) => ariaInvalid === 'true')
    ;(first ?? status).focus()
  }
  return {
    marks,
    show,
    fail,
    reveal,
    /** Validates the form. Returns its fields and their errors. */
    examine(schema, body) {
      const { data, places } = read(form.elements, body, schema)
      const faults = new Map()
      const tell = (key, ...fault) => faults.has(key) || faults.set(key, say(...fault))
      const place = placeIn(places)
      check(schema, data, (path, ...fault) => tell(place(path), ...fault))
      for (const [key, elements] of places)
        for (const { willValidate, validity, type } of elements)
          if (willValidate && !validity.valid)
            tell(key, validity.valueMissing ? 'required' : validity.typeMismatch ? type : 'invalid')
      return { places, faults }
    },
    busy(tenths) {
      const text = say('sending') + (tenths ? ` ${tenths}0%` : '')
      // Screen readers announce every change.
      if (status.textContent !== text) show(text)
    },
    thank() {
      const target = form.elements.redirect?.value
      if (target) return location.assign(new URL(target, location.origin))
      form.reset()
      show(form.dataset.success ?? say('sent'))
      status.focus()
    },
    /** Shows an error reply of the server. */
    refuse({ errors = [], limit_bytes }, places) {
      const place = placeIn(places)
      const told = errors.map(({ path, message }) => [
        place(path),
        is_english ? message : say('invalid'),
      ])
      for (const [key, [{ type }]] of limit_bytes ? places : [])
        if (type === 'file') told.push([key, say('maximum', `${limit_bytes >> 20} MB`)])
      if (told[0]) reveal(new Map(told), places)
      else fail()
    },
  }
}

const addParts = (form) => {
  const add = (html) => form.insertAdjacentHTML('beforeend', html)
  if (!form.elements.hp_website)
    add(
      '<div class="hp-trap" aria-hidden="true"><input name="hp_website" tabindex="-1" autocomplete="off"></div>',
    )
  add('<p class="hp-status" role="status" tabindex="-1"></p>')
}

const start = (element) => {
  const form = bare(element)
  addParts(form)
  const server = serverOf(form)
  const teller = tellerOf(form)
  const { marks } = teller
  let described = server.describe()
  let native, submission

  /**
   * Validates and sends the form. Returns a function that shows the result, to call after the form
   * is enabled again.
   */
  const attempt = async (body, submitter) => {
    const description = (await described) || (await (described = server.describe()))
    // Without the schema, the browser submits the form itself.
    native = !description && form.hasAttribute('action')
    // Browsers ignore a submit during the submit event.
    if (native) return () => setTimeout(() => form.requestSubmit(submitter))
    if (!description) return teller.fail
    const { places, faults } = teller.examine(description.schema, body)
    if (faults.size) return () => teller.reveal(faults, places)
    marks.keep(faults)
    // Retries keep the id, so that a form whose reply was lost is stored once.
    body.set('hp_submission', (submission ||= performance.now() + Math.random()))
    const { status, response } = await server.send(description, body, teller.busy).catch(() => ({}))
    if (status !== 201) return () => teller.refuse(response ?? {}, places)
    submission = 0
    return teller.thank
  }

  form.addEventListener('submit', async (event) => {
    if (native) return
    event.preventDefault()
    if (form.ariaBusy) return
    const { submitter } = event
    const body = new FormData(element, submitter)
    const buttons = form.querySelectorAll('button:enabled,[type=submit]:enabled')
    const hold = (busy) => {
      form.ariaBusy = busy
      for (const button of buttons) button.disabled = busy
    }
    hold('true')
    teller.busy()
    const conclude = await attempt(body, submitter)
    hold(null)
    teller.show('')
    conclude()
  })
  form.addEventListener('input', async () => {
    const description = !marks.isEmpty() && (await described)
    if (!description) return
    marks.keep(teller.examine(description.schema, new FormData(element)).faults)
    if (marks.isEmpty()) teller.show('')
  })
  form.noValidate = true
  described.then((description) => (form.noValidate = !!description))
}

const startAll = () =>
  document.querySelectorAll('form[data-collection]').forEach((form) => start(form))
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', startAll)
else startAll()

/**
 * Passkeys in a browser: asks for one with what stands in the form, puts the answer into the form
 * and sends it. A form is shown only where that can work. On the page of the sign-in the browser
 * offers passkeys in the field for the address too (autofill), until a button is pressed.
 */
'use strict'

const forms = document.querySelectorAll('form[data-passkey]')
const isAble =
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
const opened_ms = Date.now()
/** Ends the question that waits in the field: a browser answers one at a time. */
let waiting = new AbortController()

for (const form of forms) {
  if (isAble && form.dataset.origin === location.origin) offer(form)
  else document.querySelector('[data-passkey-missing]')?.removeAttribute('hidden')
}

function offer(form) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (form.reportValidity()) void press(form)
  })
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload()
  })
  document.addEventListener('visibilitychange', () => renew(form))
  if (form.dataset.passkey === 'get') void offerInField(form)
}

async function press(form) {
  waiting.abort()
  const button = form.querySelector('button')
  button.disabled = true
  say(form, '')
  try {
    send(form, await ask(form, {}))
  } catch (error) {
    button.disabled = false
    say(form, wordsFor(error))
    void offerInField(form)
  }
}

async function offerInField(form) {
  const field = document.querySelector('input[autocomplete~="webauthn"]')
  if (!field || form.dataset.passkey !== 'get') return
  const { signal } = (waiting = new AbortController())
  const isOffered = await PublicKeyCredential.isConditionalMediationAvailable?.()
  if (!isOffered || signal.aborted) return
  try {
    send(form, await ask(form, { mediation: 'conditional', signal }))
  } catch {
    // Nobody asked for it yet, so nobody has to be told.
  }
}

function ask(form, how) {
  const options = JSON.parse(form.dataset.options)
  if (form.dataset.passkey === 'get') {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    return navigator.credentials.get({ publicKey, ...how })
  }
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return navigator.credentials.create({ publicKey, ...how })
}

function send(form, credential) {
  form.elements.namedItem('response').value = JSON.stringify(credential)
  form.submit()
}

function say(form, words) {
  form.querySelector('[data-passkey-said]').textContent = words
}

function wordsFor(error) {
  if (error.name === 'InvalidStateError')
    return 'This device has a passkey for your account already.'
  if (error.name === 'NotAllowedError')
    return 'Nothing was done: it was cancelled, or took too long.'
  return `Your browser could not do it: ${error.message}`
}

/** What was asked no longer counts after a while; who comes back then gets it anew. */
function renew(form) {
  const isOld = Date.now() - opened_ms > (Number(form.dataset.keptS) - 30) * 1000
  const fields = [...document.querySelectorAll('main input:not([type=hidden])')]
  const isUntouched = fields.every((field) => field.value === field.defaultValue)
  if (isOld && isUntouched && document.visibilityState === 'visible') location.reload()
}

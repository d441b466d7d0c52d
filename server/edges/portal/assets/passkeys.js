/**
 * Passkeys in a browser: calls WebAuthn with the options of a form, puts the response into the form
 * and submits it. A form is shown only if the browser supports it. On the sign-in page the browser
 * also offers passkeys as autofill of the email field, until a button is pressed.
 */
'use strict'

const forms = document.querySelectorAll('form[data-passkey]')
const isAble =
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
const opened_ms = Date.now()
/** Aborts the pending autofill request: a browser handles one WebAuthn request at a time. */
let waiting = new AbortController()

for (const form of forms) {
  if (isAble && form.dataset.origin === location.origin) offer(form)
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
  void offerInField(form)
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
    say(form, wordsFor(form, error))
    void offerInField(form)
  }
}

async function offerInField(form) {
  const field = document.querySelector('input[autocomplete~="webauthn"]')
  if (!field) return
  const { signal } = (waiting = new AbortController())
  const isOffered = await PublicKeyCredential.isConditionalMediationAvailable?.()
  if (!isOffered || signal.aborted) return
  try {
    send(form, await ask(form, { mediation: 'conditional', signal }))
  } catch {
    // A failure is not shown, because the user did not start this request.
  }
}

function ask(form, how) {
  const options = JSON.parse(form.dataset.options)
  if (form.dataset.passkey === 'create') {
    const created = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    return navigator.credentials.create({ publicKey: created })
  }
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return navigator.credentials.get({ publicKey, ...how })
}

function send(form, credential) {
  form.elements.namedItem('response').value = JSON.stringify(credential)
  form.submit()
}

function say(form, words) {
  form.querySelector('[data-passkey-said]').textContent = words
}

function wordsFor({ dataset }, error) {
  return error.name === 'NotAllowedError' ? dataset.cancelled : `${dataset.failed} ${error.message}`
}

/** Reloads a page whose challenge has expired, unless the form has been edited. */
function renew(form) {
  const isOld = Date.now() - opened_ms > (Number(form.dataset.keptS) - 30) * 1000
  const fields = [...document.querySelectorAll('main input:not([type=hidden])')]
  const isUntouched = fields.every((field) => field.value === field.defaultValue)
  if (isOld && isUntouched && document.visibilityState === 'visible') location.reload()
}

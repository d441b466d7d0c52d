/**
 * The human verification that starts a conversation: the proof of work, or the widget of Turnstile or
 * hCaptcha, whose script is loaded from the provider when it is needed.
 */
import { Fault } from './api.js'
import { create } from '../nodes.js'
import { solve } from './proof.js'

/** A challenge of the server is valid for 5 minutes. */
const FRESH_MS = 240_000

const scripts = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
  hcaptcha: 'https://js.hcaptcha.com/1/api.js?render=explicit',
}

const loadScript = (src) =>
  new Promise((resolve, reject) => {
    const script = create('script', { src, async: true })
    script.onload = resolve
    script.onerror = () => {
      script.remove()
      reject(new Fault('network'))
    }
    document.head.append(script)
  })

const READY_MS = 10_000

/** The interface of the provider, which may be ready some time after its script. */
const loadProvider = async (kind) => {
  if (!window[kind]) await loadScript(scripts[kind])
  const from = Date.now()
  while (!window[kind]?.render) {
    if (Date.now() - from > READY_MS) throw new Fault('network')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return window[kind]
}

/** `place` holds the box of a provider: it is outside the shadow tree, which providers do not support. */
export const createVerification = ({ api, config, language, place }) => {
  const { kind, site_key } = config.challenge
  let prepared = null

  const solveChallenge = async () => {
    const solution = await solve(await api.challenge())
    if (!solution) throw new Fault('challenge_failed')
    return solution
  }

  const askProvider = async () => {
    const provider = await loadProvider(kind)
    return new Promise((resolve, reject) => {
      const box = place()
      const end = (settle) => (value) => {
        box.remove()
        settle(value)
      }
      provider.render(box, {
        sitekey: site_key,
        language,
        hl: language,
        callback: end(resolve),
        'error-callback': end(() => reject(new Fault('challenge_failed'))),
      })
    })
  }

  const prepare = () => {
    if (prepared && Date.now() - prepared.at < FRESH_MS) return prepared.result
    const result = solveChallenge()
    prepared = { at: Date.now(), result }
    result.catch(() => (prepared = null))
    return result
  }

  return {
    /** Solves the challenge while the visitor writes. */
    prepare: () => kind === 'altcha' && prepare().catch(() => {}),
    /** Returns a result, which starts one conversation. */
    async verify() {
      if (kind !== 'altcha') return askProvider()
      const result = await prepare()
      prepared = null
      return result
    },
  }
}

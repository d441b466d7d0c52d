/**
 * The script of the tag `<script src="…/widget.js" data-chat-token="hm_pub_…" defer></script>`: shows
 * the button, and loads the panel when the chat is opened for the first time.
 */
import { loaderStyle } from './loader-style.js'
import { chooseLanguage, wordsFor } from './loader-words.js'
import { addStyle, create, icon } from './nodes.js'
import { declareColors } from './palette.js'
import { createStore } from './store.js'

const CONFIG_FRESH_MS = 300_000
const STANDARD_COLOR = '#1f5eff'
const TAG = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i
const CHAT = 'M20 11.5a7.5 7.5 0 0 1-7.5 7.5H5.5l1-2.6A7.5 7.5 0 1 1 20 11.5Z'
const DOWN = 'M6 9.5l6 6 6-6'

/** Reads the settings of the widget, cached for five minutes per tab. */
const readConfig = async (api, { token, language }) => {
  const key = `homeport-chat-config-${token.slice(7, 19)}-${language}`
  try {
    const { at, config } = JSON.parse(sessionStorage.getItem(key))
    if (Date.now() - at < CONFIG_FRESH_MS) return config
  } catch {
    // Storage is blocked, or has no entry.
  }
  const response = await fetch(`${api}/chat/config?language=${language}`, {
    headers: { Authorization: `Bearer ${token}` },
    credentials: 'omit',
  })
  const config = await response.json()
  if (!response.ok) return console.warn(`Homeport chat: ${config.detail}`)
  try {
    sessionStorage.setItem(key, JSON.stringify({ at: Date.now(), config }))
  } catch {
    // Storage is blocked: the next page requests the settings again.
  }
  return config
}

/** Follows the theme of the tag, else that of the visitor's system. */
const followScheme = (root, { theme, color }) => {
  const sheet = addStyle(root, '')
  const system = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    const is_dark = theme ? theme === 'dark' : system.matches
    sheet.replaceSync(`.all{${declareColors(color, is_dark)}}`)
  }
  if (theme !== 'dark' && theme !== 'light') {
    theme = ''
    system.addEventListener('change', apply)
  }
  apply()
}

/** The button, with a count of new messages, and a tip above it. */
const createLauncher = ({ words, onclick, is_hidden }) => {
  const badge = create('span', { className: 'badge', 'aria-hidden': 'true', hidden: true })
  const tip = create('p', { className: 'tip', role: 'status' })
  const button = create(
    'button',
    {
      className: 'launcher',
      type: 'button',
      'aria-haspopup': 'dialog',
      'aria-expanded': 'false',
      'aria-label': words.open,
      hidden: is_hidden,
      onclick,
    },
    icon(CHAT),
    icon(DOWN),
    badge,
  )
  return {
    elements: [button, tip],
    focus: () => button.focus(),
    setBusy: (is_busy) => button.setAttribute('aria-busy', is_busy),
    say: (text) => (tip.textContent = text),
    /** Shows whether the panel is open, and how many messages were not seen. */
    show({ is_open, unread }) {
      const count = unread > 9 ? '9+' : `${unread}`
      button.setAttribute('aria-expanded', is_open)
      button.parentNode.classList.toggle('opened', is_open)
      badge.hidden = !unread
      badge.textContent = count
      const news = unread ? `. ${words.unread.replace('#', count)}` : ''
      button.setAttribute('aria-label', (is_open ? words.close : words.open) + news)
      tip.textContent = ''
    },
  }
}

/** Imports the panel once. After a failure, the next call tries again. */
const createLoad = ({ script, launcher, words, context }) => {
  let loading
  let attempts = 0
  const load = async () => {
    launcher.setBusy(true)
    launcher.say('')
    try {
      // A browser does not fetch a failed module again at the same address.
      const again = attempts++ ? `&again=${attempts}` : ''
      const { startPanel } = await import(
        new URL(`/widget-panel.js?v=__PANEL_VERSION__${again}`, script.src)
      )
      return startPanel(context)
    } catch {
      loading = null
      launcher.say(words.failed)
    } finally {
      launcher.setBusy(false)
    }
  }
  return () => (loading ??= load())
}

const readTag = ({ dataset, src }) => {
  const { chatToken: token, language, theme, email = '', launcher } = dataset
  const tags = [language, document.documentElement.lang, navigator.language]
  const own = tags.find((tag) => TAG.test(tag)) ?? 'en'
  const api = new URL('/api/v1/public', src).href
  return { token, own, theme, email, api, is_hidden: launcher === 'none' }
}

/** Adds the element of the widget to the page. Returns its parts. */
const place = ({ config, theme, language }) => {
  const host = document.createElement('homeport-chat')
  const root = host.attachShadow({ mode: 'open' })
  const className = `all ${config.theme.position}`
  const all = create('section', { className, 'aria-label': 'Chat', lang: language })
  addStyle(root, loaderStyle)
  root.append(all)
  document.documentElement.append(host)
  const color = getComputedStyle(host).getPropertyValue('--homeport-chat-color').trim()
  const is_color = /^#[0-9a-f]{6}$/i.test(color)
  followScheme(root, { theme, color: is_color ? color : config.theme.color || STANDARD_COLOR })
  return { root, all }
}

const start = async (script) => {
  const { token, own, theme, email, api, is_hidden } = readTag(script)
  const store = createStore(token)
  const config = await readConfig(api, { token, language: own })
  if (!config || !(config.available || config.phone || email)) return
  const wanted = config.theme.language ?? own
  const language = chooseLanguage([wanted, config.language])
  const words = wordsFor(language)
  const { root, all } = place({ config, theme, language })

  let panel
  const onclick = () => (panel?.isOpen() ? panel.close() : open())
  const launcher = createLauncher({ words, onclick, is_hidden })
  all.append(...launcher.elements)
  const context = { all, root, token, api, config, store, launcher, language, wanted, email }
  const load = createLoad({ script, launcher, words, context })
  const open = async ({ quiet = false } = {}) => {
    panel = await load()
    panel?.open({ quiet })
  }
  const chat = { open: () => open(), close: () => panel?.close() }
  window.Homeport = { ...window.Homeport, chat }
  const { id, is_open, waits } = store.read()
  // A panel that covers a phone does not open by itself.
  if (is_open && id && !matchMedia('(max-width: 480px)').matches) open({ quiet: true })
  else if (waits) panel = await load()
}

const script = document.currentScript ?? document.querySelector('script[data-chat-token]')
const begin = () => {
  if (!script?.dataset.chatToken || document.querySelector('homeport-chat')) return
  // Without a connection, the button appears when it is back.
  start(script).catch(() => addEventListener('online', begin, { once: true }))
}
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', begin)
else begin()

// Enhancements of documentation pages with scripts: filters lists, copies code, and marks the
// current section in the navigation. Every page is complete without scripts.

for (const input of document.querySelectorAll('input[data-filter]')) {
  const rows = [...document.querySelectorAll(input.dataset.filter)]
  input.closest('.filter').hidden = false
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/)
    for (const row of rows) {
      const text = row.textContent.toLowerCase()
      row.hidden = !words.every((word) => text.includes(word))
    }
  })
}

if (navigator.clipboard) {
  for (const figure of document.querySelectorAll('figure.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(figure.querySelector('pre').textContent)
      button.textContent = 'Copied'
      setTimeout(() => (button.textContent = 'Copy'), 2000)
    })
    figure.querySelector('figcaption').append(button)
  }
}

const links = new Map(
  [...document.querySelectorAll('nav.side ul ul a, nav.contents a')].map((link) => [
    decodeURIComponent(link.hash.slice(1)),
    link,
  ]),
)
if (links.size > 0) {
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const link = links.get(target.id)
        if (isIntersecting) link.setAttribute('aria-current', 'location')
        else link.removeAttribute('aria-current')
      }
    },
    { rootMargin: '-15% 0px -75% 0px' },
  )
  for (const id of links.keys()) {
    const part = document.getElementById(id)
    if (part) watch.observe(part)
  }
}
document.querySelector('nav.side [aria-current=page]')?.scrollIntoView({ block: 'nearest' })

// The reader chooses the language of the samples once for all pages, and the browser stores it.
const LANGUAGE = 'homeport-language'
const choices = [...document.querySelectorAll('.tabs > input')]
function choose(language) {
  for (const input of choices) if (input.value === language) input.checked = true
}
choose(localStorage.getItem(LANGUAGE))
for (const input of choices) {
  input.addEventListener('change', () => {
    localStorage.setItem(LANGUAGE, input.value)
    choose(input.value)
  })
}

// Search: the keys / and Ctrl-K move the focus to the search field, and results appear below it
// while the user types.
const form = document.querySelector('form.search')
const field = form.elements.q
document.addEventListener('keydown', (event) => {
  const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
  const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey
  if (!isSlash && !(event.key === 'k' && (event.ctrlKey || event.metaKey))) return
  event.preventDefault()
  field.select()
})
const list = document.createElement('div')
list.className = 'found'
list.hidden = true
form.append(list)
let asked = 0
field.addEventListener('input', async () => {
  const mine = ++asked
  const words = field.value.trim()
  if (words === '') return void (list.hidden = true)
  const reply = await fetch(`${form.action}?${new URLSearchParams({ q: words })}`)
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html')
  if (mine !== asked) return
  list.replaceChildren(...page.querySelector('#results').childNodes)
  list.hidden = false
})
form.addEventListener('keydown', (event) => {
  const found = [field, ...list.querySelectorAll('a')]
  const at = found.indexOf(document.activeElement)
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Escape') list.hidden = true
  if (step === undefined || list.hidden) return
  event.preventDefault()
  found[(at + step + found.length) % found.length].focus()
})
document.addEventListener('click', (event) => {
  if (!form.contains(event.target)) list.hidden = true
})

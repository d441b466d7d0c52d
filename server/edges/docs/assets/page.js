// What a page can do more when scripts run: filter a list, copy code, and show in the navigation
// which part is being read. Without scripts nothing is missing that is needed.

for (const input of document.querySelectorAll('input[data-filter]')) {
  const rows = [...document.querySelectorAll(input.dataset.filter)]
  input.closest('.filter').hidden = false
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/)
    for (const row of rows) {
      const text = row.textContent.toLowerCase()
      row.hidden = !words.every((word) => text.includes(word))
    }
    for (const group of document.querySelectorAll('nav.side section')) {
      group.hidden = !group.querySelector('li:not([hidden])')
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
  [...document.querySelectorAll('nav.side a[href^="#"]')].map((link) => [link.hash.slice(1), link]),
)
const parts = document.querySelectorAll('article.operation')
if (links.size > 0 && parts.length > 0) {
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const link = links.get(target.id)
        if (!link) continue
        if (isIntersecting) link.setAttribute('aria-current', 'location')
        else link.removeAttribute('aria-current')
      }
    },
    { rootMargin: '-15% 0px -75% 0px' },
  )
  for (const part of parts) watch.observe(part)
}

/** One message as elements: the text, its sources, and a line with name and time. */
import { create } from '../nodes.js'
import { createLink, safeAddress, writeText } from './rich-text.js'

export const createMessageWriter = ({ say, config, language }) => {
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' })
  const authors = { visitor: say('you'), assistant: config.name, human: say('person') }

  const createSources = (sources) => {
    const links = sources.flatMap(({ title, url }) => {
      const href = url && safeAddress(url)
      if (!href?.startsWith('http')) return []
      const link = createLink(href, title)
      link.append(create('span', { className: 'quiet', textContent: ` (${say('new_tab')})` }))
      return [create('li', {}, link)]
    })
    return (
      links[0] && create('ul', { className: 'sources', 'aria-label': say('sources') }, ...links)
    )
  }

  const describe = ({ role, created_at }) => {
    const at = time.format(created_at ? new Date(created_at) : new Date())
    return role === 'visitor' ? at : `${authors[role]} · ${at}`
  }

  return {
    describe,
    write(message) {
      const { role, text, sources = [] } = message
      const bubble = create('div', { className: 'bubble', dir: 'auto' })
      if (role === 'visitor') bubble.textContent = text
      else writeText(bubble, text)
      const author = authors[role]
      const meta = { className: 'meta', 'aria-hidden': 'true', textContent: describe(message) }
      return create(
        'div',
        { className: `message ${role}` },
        author && create('span', { className: 'quiet', textContent: `${author}: ` }),
        bubble,
        createSources(sources),
        author && create('p', meta),
      )
    },
  }
}

/** The frame of the panel: the header with the name, and the elements of the dialog. */
import { create, icon } from '../nodes.js'

const CROSS = 'M6 6l12 12M18 6 6 18'
const DOOR = 'M14 4h4a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-4M10 8l-4 4 4 4M6 12h9'

export const createIconButton = (label, data, onclick) =>
  create('button', { type: 'button', 'aria-label': label, title: label, onclick }, icon(data))

export const createHeader = ({ say, config, onEnd, onClose }) => {
  const subtitle = create('p', { className: 'subtitle' })
  const end = createIconButton(say('end'), DOOR, onEnd)
  const [initial] = config.name
  const element = create(
    'header',
    {},
    create('span', { className: 'avatar', 'aria-hidden': 'true', textContent: initial }),
    create('div', {}, create('p', { className: 'title', textContent: config.name }), subtitle),
    end,
    createIconButton(say('close'), CROSS, onClose),
  )
  return {
    element,
    /** `status` is that of the conversation. */
    show(status) {
      end.hidden = status !== 'active' && status !== 'handed_off'
      subtitle.textContent = say(status === 'handed_off' ? 'person_follows' : 'assistant')
    },
  }
}

export const createDialog = ({ say, config, onClose }, ...content) =>
  create(
    'div',
    {
      className: 'panel',
      role: 'dialog',
      'aria-label': say('title', config.name),
      tabIndex: -1,
      hidden: true,
      onkeydown(event) {
        if (event.key !== 'Escape' || event.isComposing) return
        event.stopPropagation()
        onClose()
      },
    },
    ...content,
  )

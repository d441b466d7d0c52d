/** Error messages beside fields, linked with aria-describedby. */
let count = 0

export const newMarks = () => {
  const marks = new Map()
  const add = (key, elements, text) => {
    const note = document.createElement('p')
    note.className = 'hp-error'
    note.id = `hp-error-${++count}`
    note.textContent = text
    const last = elements.at(-1)
    const group = elements[1] && last.closest('fieldset')
    if (group) group.append(note)
    else (last.closest('label') ?? last).after(note)
    const before = elements.map((one) => one.getAttribute('aria-describedby') ?? '')
    const describe = (isInvalid, id) =>
      elements.forEach((one, index) => {
        one.ariaInvalid = isInvalid
        one.setAttribute('aria-describedby', `${before[index]} ${id}`.trim())
      })
    describe('true', note.id)
    // Removes the message.
    marks.set(key, () => {
      marks.delete(key)
      note.remove()
      describe(null, '')
    })
  }
  return {
    add,
    isEmpty: () => !marks.size,
    /** Removes all messages except at these places. */
    keep(places) {
      for (const [key, undo] of marks) if (!places.has(key)) undo()
    },
  }
}

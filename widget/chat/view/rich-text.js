/** The text of a message as nodes: web addresses, email addresses and phone numbers become links. */
import { create } from '../nodes.js'

const protocols = ['http:', 'https:', 'mailto:', 'tel:']
const PHONE = /\+\d(?:[ .()-]{0,2}\d){7,14}/g
const END = /[.,;:!?'"’”)\]}>]/

/** The address if it is safe to open; null else. */
export const safeAddress = (text) => {
  try {
    const { href, protocol } = new URL(text)
    return protocols.includes(protocol) ? href : null
  } catch {
    return null
  }
}

export const createLink = (href, text) =>
  create('a', {
    href,
    textContent: text,
    ...(href.startsWith('http') && { target: '_blank', rel: 'noopener noreferrer nofollow' }),
  })

/** Separates punctuation after an address. */
const separateEnd = (word) => {
  let length = word.length
  while (length > 0 && END.test(word[length - 1])) length -= 1
  return [word.slice(0, length), word.slice(length)]
}

const addressIn = (word) => {
  if (/^https?:\/\/./i.test(word)) return safeAddress(word)
  if (/^[\w.+-]{1,64}@[a-z0-9-]{1,63}\.[a-z0-9.-]{2,100}$/i.test(word)) return `mailto:${word}`
  return null
}

const addPhones = (target, text) => {
  let from = 0
  for (const { 0: number, index } of text.matchAll(PHONE)) {
    target.append(text.slice(from, index))
    target.append(createLink(`tel:${number.replace(/[^+\d]/g, '')}`, number))
    from = index + number.length
  }
  target.append(text.slice(from))
}

export const writeText = (target, text) => {
  let plain = ''
  const flush = () => {
    addPhones(target, plain)
    plain = ''
  }
  for (const part of text.split(/(\s+)/)) {
    const opened = /^[("'“‘<[]/.test(part) ? part[0] : ''
    const [word, end] = separateEnd(part.slice(opened.length))
    const href = addressIn(word)
    if (href) {
      plain += opened
      flush()
      target.append(createLink(href, word))
      plain = end
    } else plain += part
  }
  flush()
}
